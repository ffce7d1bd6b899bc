import type { ErrorCode } from '../errors/errors';
import type { JsonObject } from '@stratalog/json';

/**
 * The states of a task.
 *
 * `queued` waits for a process. `running` has one. `pausing` and `cancelling` are requested, and the process that runs
 * the task has not obeyed yet. The other four have no process.
 */
export const TASK_STATES = [
  'queued',
  'running',
  'pausing',
  'paused',
  'cancelling',
  'cancelled',
  'completed',
  'failed',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

/** The final states of a task. */
const ENDED_STATES = ['cancelled', 'completed', 'failed'] as const satisfies readonly TaskState[];
export type EndedState = (typeof ENDED_STATES)[number];

export const TASK_REQUESTS = ['pause', 'resume', 'cancel'] as const;
/** The request of an operator to a task. */
export type TaskRequest = (typeof TASK_REQUESTS)[number];

/** How far the work of a task is. */
export interface TaskProgress {
  readonly done: number;
  /** Absent while it is unknown. */
  readonly total?: number;
}

/** One line of the log of a task. */
export interface TaskLogEntry {
  /** Epoch ms. */
  readonly time: number;
  readonly text: string;
}

/** Long work as a durable record. A process with a lease runs it, and any other continues it from its checkpoint. */
export interface Task {
  /** Counts from 1 within a store. */
  readonly id: number;
  readonly kind: string;
  readonly parameters: JsonObject;
  /** Urn of the user who requested the task. */
  readonly actor: string;
  readonly state: TaskState;
  /** The subjects that the task works on alone. Of two tasks that share one, the later begins when the earlier has ended. */
  readonly subjects: readonly string[];
  /** Where the next step begins; absent before the first. */
  readonly checkpoint?: JsonObject;
  readonly progress: TaskProgress;
  /** Time that processes have worked on the task. */
  readonly workedMs: number;
  /** The process that runs the task, or ran it last. */
  readonly owner?: string;
  /** Epoch ms, by the clock of the store's server. */
  readonly createdMs: number;
  readonly startedMs?: number;
  readonly endedMs?: number;
  /** The result of a completed task; what was done, of one that failed or was cancelled. */
  readonly outcome?: JsonObject;
  /** Why the task failed. */
  readonly reason?: string;
  /** The code of the error with which the task failed. */
  readonly failure?: ErrorCode;
  /** The newest hundred entries, oldest first. */
  readonly log: readonly TaskLogEntry[];
}

const AFTER_REQUEST: Readonly<Record<TaskRequest, Readonly<Partial<Record<TaskState, TaskState>>>>> = {
  pause: { queued: 'paused', running: 'pausing' },
  resume: { paused: 'queued', pausing: 'running' },
  cancel: { queued: 'cancelling', paused: 'cancelling', running: 'cancelling', pausing: 'cancelling' },
};

/**
 * Returns the state of a task after a request. A repeated request, and one to a task that has ended, changes nothing.
 *
 * A task that has started is cancelled by a process that runs its kind, because the kind may have to undo something.
 */
export function decideRequest(
  { state, hasStarted }: { readonly state: TaskState; readonly hasStarted: boolean },
  request: TaskRequest,
): TaskState {
  const after = AFTER_REQUEST[request][state] ?? state;
  const isIdle = state === 'queued' || state === 'paused';
  return after === 'cancelling' && isIdle && !hasStarted ? 'cancelled' : after;
}

/** True when no process will work on the task any more. */
export function isEnded(state: TaskState): state is EndedState {
  return (ENDED_STATES as readonly TaskState[]).includes(state);
}

/** Digits of the store's id that name the node in the name of a task. */
const NODE_DIGITS = 22;
const NAME = /^([a-zA-Z0-9-_]{1,100}):(\d+)$/;

/**
 * Formats the name of a task for clients, `<node>:<number>`. The node is the beginning of the store's id, so a name
 * says to which store the task belongs.
 */
export function formatTaskName({ storeId }: { readonly storeId: string }, id: number): string {
  return `${storeId.slice(0, NODE_DIGITS)}:${String(id)}`;
}

/** The two parts of a task's name. */
export interface TaskName {
  readonly node: string;
  readonly id: bigint;
}

/** The highest number of a task: the highest signed integer of 64 bits. */
const MAX_ID = 2n ** 63n - 1n;

/** Parses the name of a task; `undefined` when the text is none, or its number is 0 or beyond 64 bits. */
export function parseTaskName(text: string): TaskName | undefined {
  const [, node, digits] = NAME.exec(text) ?? [];
  if (node === undefined || digits === undefined) return undefined;
  // Far more digits than any number of 64 bits has would cost time to convert.
  const significant = digits.replace(/^0+/, '');
  if (significant.length > String(MAX_ID).length) return undefined;
  const id = BigInt(significant === '' ? '0' : significant);
  return id > 0n && id <= MAX_ID ? { node, id } : undefined;
}

/**
 * Returns the number of the task that a name means in a store; `undefined` for one of another store, or a number that no
 * task of ours has.
 */
export function findTaskId(
  { storeId }: { readonly storeId: string },
  { node, id }: TaskName,
): number | undefined {
  return node === storeId.slice(0, NODE_DIGITS) && id <= BigInt(Number.MAX_SAFE_INTEGER)
    ? Number(id)
    : undefined;
}

/** How fast a task works, and when it ends at this rate. */
export interface TaskRate {
  readonly perSecond: number;
  /** Absent when the total is unknown, or nothing was done yet. */
  readonly leftMs?: number;
}

/** Computes the rate of a task from all its work so far; `undefined` before any. */
export function computeRate({
  progress: { done, total },
  workedMs,
}: Pick<Task, 'progress' | 'workedMs'>): TaskRate | undefined {
  if (workedMs <= 0 || done <= 0) return undefined;
  const perSecond = (done * 1_000) / workedMs;
  if (total === undefined) return { perSecond };
  return { perSecond, leftMs: Math.round((Math.max(0, total - done) * 1_000) / perSecond) };
}
