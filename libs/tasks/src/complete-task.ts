import { FailedTaskError, UnavailableError, formatTaskName, isEnded, type Task } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { pause } from '@stratalog/concurrency';
import type { NewTask, TaskStore } from '@stratalog/ports';
import { WAITS } from './run-task';

export interface CompleteDeps {
  readonly tasks: TaskStore;
  readonly store: { readonly identity: { readonly storeId: string } };
  /** Called after a task was created. */
  readonly onTask: () => void;
}

/** A write continues when its client disconnects. */
const NEVER = new AbortController().signal;
const FIRST_POLL_MS = 5;
const LAST_POLL_MS = 500;

/**
 * Creates a task, or finds the one of the same kind and parameters, and waits for its result. The task goes on when the
 * caller leaves.
 *
 * **Errors**: the error with which the task failed; `UnavailableError` that names the task when it was paused or cancelled, waits for a
 * server that does not answer, or for another task that is paused or waits for a server.
 */
export async function completeTask(
  { tasks, store, onTask }: CompleteDeps,
  request: NewTask,
): Promise<{ readonly task: string; readonly outcome: JsonObject }> {
  const created = await tasks.create(request);
  onTask();
  const name = formatTaskName(store.identity, created.task.id);
  let task: Task | undefined = created.task;
  for (let pollMs = FIRST_POLL_MS; task !== undefined && isUnderWay(task);) {
    if (task.state === 'queued' && task.subjects.length > 0) await rejectStopped({ tasks, store }, task);
    await pause(pollMs, NEVER);
    pollMs = Math.min(LAST_POLL_MS, pollMs * 1.5);
    task = await tasks.read(created.task.id);
  }
  return { task: name, outcome: requireOutcome(task, name) };
}

/** Throws when the task waits, be it through others, for one that is paused or itself waits for a server. */
async function rejectStopped({ tasks, store }: Omit<CompleteDeps, 'onTask'>, { id }: Task): Promise<void> {
  let other = await readBlocker(tasks, id);
  while (other?.state === 'queued') other = await readBlocker(tasks, other.id);
  if (other === undefined || isEnded(other.state) || isUnderWay(other)) return;
  const [name, before] = [id, other.id].map((each) => formatTaskName(store.identity, each));
  const why = other.state === 'paused' ? 'is paused' : (other.log.at(-1)?.text ?? '');
  throw new UnavailableError(`The task ${name ?? ''} waits for the task ${before ?? ''}, which ${why}`);
}

async function readBlocker(tasks: TaskStore, id: number): Promise<Task | undefined> {
  const blocker = (await tasks.findBlockers([id])).get(id);
  return blocker === undefined ? undefined : tasks.read(blocker);
}

function isUnderWay(task: Task): boolean {
  return !isEnded(task.state) && task.state !== 'paused' && !isWaiting(task);
}

function isWaiting({ log }: Task): boolean {
  return log.at(-1)?.text.startsWith(WAITS) === true;
}

function requireOutcome(task: Task | undefined, name: string): JsonObject {
  if (task === undefined) throw new UnavailableError(`The task ${name} was deleted`);
  switch (task.state) {
    case 'completed':
      return task.outcome ?? {};
    case 'failed':
      if (task.failure === 'fault') throw new Error(`The task ${name} failed by a fault`);
      throw new FailedTaskError(
        task.failure ?? 'unavailable',
        `The task ${name} failed: ${task.reason ?? ''}`,
      );
    case 'cancelled':
    case 'paused':
      throw new UnavailableError(`The task ${name} is ${task.state}`);
    default:
      throw new UnavailableError(
        `${task.log.at(-1)?.text.slice(WAITS.length) ?? ''}; the task ${name} goes on when that is over`,
      );
  }
}
