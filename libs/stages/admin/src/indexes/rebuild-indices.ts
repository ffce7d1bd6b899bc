import { formatTaskName, type Task } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectStore, TaskStore } from '@stratalog/ports';
import type { TaskKind } from '@stratalog/tasks';
import { formatTask } from '../tasks/describe-task';
import {
  formatDescription,
  listIndexKinds,
  selectIndex,
  type IndexDeps,
  type IndexKind,
} from './describe-index';
import type { RebuildParameters } from './rebuild-task';

export interface RebuildDeps extends IndexDeps {
  readonly store: Pick<AspectStore, 'identity'>;
  readonly tasks: TaskStore;
  readonly rebuild: TaskKind<RebuildParameters>;
  /** Called after a task was created. */
  readonly onTask: () => void;
}

/**
 * Has one index, or without `kind` every index, built again alongside the live one, by a task, and returns the task at once. The live
 * versions answer until the new ones are activated.
 *
 * **Order and repeats**: a repeated request returns the same task until it has ended. Of two tasks that rebuild the same index, the
 * second begins when the first has ended.
 *
 * **Errors**: `InvalidRequestError` for an index that this catalog does not have; `UnavailableError` when the store is unavailable.
 */
export async function rebuildIndices(
  deps: RebuildDeps,
  kind: IndexKind | undefined,
  actor: string,
): Promise<JsonOutputObject> {
  return formatTask(deps, await createTask(deps, kind === undefined ? listIndexKinds(deps) : [kind], actor));
}

/**
 * Has one index built again, and describes it: the earlier form of {@link rebuildIndices}.
 *
 * **Shape**: that of `formatDescription`, and `task`, the name of the task.
 */
export async function rebuildIndex(
  deps: RebuildDeps,
  kind: IndexKind,
  actor: string,
): Promise<JsonOutputObject> {
  // Read before the request: a small index may be complete at once, and the caller is told what is to be replaced.
  const { live, ...state } = await selectIndex(deps, kind).state();
  const { id } = await createTask(deps, [kind], actor);
  const requested = live === undefined ? state : { ...state, live: { ...live, isOutdated: true } };
  return { ...formatDescription(kind, requested), task: formatTaskName(deps.store.identity, id) };
}

async function createTask(deps: RebuildDeps, indexes: readonly IndexKind[], actor: string): Promise<Task> {
  // An index that the catalog lacks is rejected before the task exists.
  for (const kind of indexes) selectIndex(deps, kind);
  const { task, isNew } = await deps.tasks.create(deps.rebuild.newTask({ indexes: [...indexes] }, actor));
  // The new version of a task that is about to end may lack what this request is about.
  const isAtWork = task.state === 'running' || (task.state === 'queued' && task.checkpoint !== undefined);
  if (!isNew && isAtWork) {
    for (const kind of indexes) await selectIndex(deps, kind).requestRebuild();
  }
  deps.onTask();
  return task;
}
