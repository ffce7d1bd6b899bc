import { DAY_MS } from '../../../data/times';
import type { Change } from '../use-changes';

export interface ChangeGroup {
  readonly title: string;
  /** Changes of one run of a connector, one after another; a change of a person is alone. */
  readonly runs: readonly (readonly Change[])[];
}

const NO_RUN = ['', 'no-run-id-provided'];

/** The run of a connector that a change belongs to; `undefined`: somebody made it alone. */
export function runOf({ systemMetadata }: Pick<Change, 'systemMetadata'>): string | undefined {
  const run = systemMetadata?.runId ?? '';
  return NO_RUN.includes(run) ? undefined : run;
}

/** Changes by the time that people think in, in the order of the timeline. */
export function groupByTime(changes: readonly Change[], nowMs: number): readonly ChangeGroup[] {
  const groups: { title: string; runs: Change[][] }[] = [];
  for (const change of changes) {
    const title = periodOf(change.time, nowMs);
    const runs = groups.at(-1)?.title === title ? (groups.at(-1)?.runs ?? []) : [];
    if (runs.length === 0) groups.push({ title, runs });
    const before = runs.at(-1)?.at(-1);
    if (before !== undefined && isOneRun(before, change)) runs.at(-1)?.push(change);
    else runs.push([change]);
  }
  return groups;
}

function isOneRun(one: Change, other: Change): boolean {
  const run = runOf(one);
  return run !== undefined && run === runOf(other) && one.actor === other.actor;
}

/** The time that people think in: "Today", "This week". */
export function periodOf(ms: number, nowMs: number): string {
  const [then, now] = [new Date(ms), new Date(nowMs)];
  if (then.toDateString() === now.toDateString()) return 'Today';
  if (nowMs - ms < 7 * DAY_MS) return 'This week';
  return then.getFullYear() === now.getFullYear() ? 'Earlier this year' : String(then.getFullYear());
}
