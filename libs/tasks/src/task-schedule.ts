import type { Clock, NewTask, TaskStore } from '@stratalog/ports';

/** Work that recurs: a task that is requested again some time after the last one ended. */
export interface TaskSchedule {
  readonly task: NewTask;
  /** Time from the end of one task to the request of the next. */
  readonly everyMs: number;
  /** Reads when the work was last done without leaving a task. Throws while the work must not be done. */
  readonly readLast?: () => Promise<number | undefined>;
}

/** Longest interval between two reads of the last task. */
const MAX_ASK_MS = 60_000;

/** Returns the interval at which {@link createDueTask} is called. */
export function askInterval({ everyMs }: TaskSchedule): number {
  return Math.min(MAX_ASK_MS, everyMs);
}

/**
 * Requests a task when the last one ended long enough ago. Several processes that do so at once make one task. A task
 * that is paused stays the only one; one that failed or was cancelled counts as an end.
 */
export async function createDueTask(
  { tasks, clock }: { readonly tasks: TaskStore; readonly clock: Clock },
  { task, everyMs, readLast }: TaskSchedule,
): Promise<void> {
  const stored = await readLast?.();
  const [last] = await tasks.list({ kind: task.kind, limit: 1 });
  if (last !== undefined && last.endedMs === undefined) return;
  if (isDue({ endedMs: [stored, last?.endedMs], everyMs, nowMs: clock.now() })) await tasks.create(task);
}

/** Decides whether the next task is due. Ignores ends that lie in the future: a clock that was wrong stored them. */
export function isDue({
  endedMs,
  everyMs,
  nowMs,
}: {
  readonly endedMs: readonly (number | undefined)[];
  readonly everyMs: number;
  readonly nowMs: number;
}): boolean {
  return endedMs.every((ended) => ended === undefined || ended + everyMs <= nowMs || ended > nowMs + everyMs);
}
