import type { PartitionSequences } from '@stratalog/domain';
import type { NewTask } from '@stratalog/ports';

/** The kind of the tasks that restate entities whose search documents hold values of changed ones. */
export const RESTATE_REFERRERS = 'restate-referrers';

/** Most changed entities of one task. */
const MAX_URNS = 200;

/**
 * Makes tasks to restate the entities that refer to changed ones.
 *
 * The position of the changes is among the parameters, so a later change of the same entity is another task, which begins
 * after it.
 */
export function requestReferrers(
  urns: readonly string[],
  position: PartitionSequences,
  actor: string,
): readonly NewTask[] {
  const tasks: NewTask[] = [];
  for (let at = 0; at < urns.length; at += MAX_URNS) {
    const parameters = {
      urns: urns.slice(at, at + MAX_URNS),
      position: Object.fromEntries(position),
    };
    tasks.push({ kind: RESTATE_REFERRERS, parameters, actor });
  }
  return tasks;
}
