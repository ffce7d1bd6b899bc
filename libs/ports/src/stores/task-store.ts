import type { EndedState, ErrorCode, Task, TaskProgress, TaskRequest, TaskState } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';

/** A task to create. */
export interface NewTask {
  readonly kind: string;
  readonly parameters: JsonObject;
  /** The subjects that the task works on alone, among all kinds; by default none. */
  readonly subjects?: readonly string[];
  /** Urn of the user who requests it. */
  readonly actor: string;
}

export interface TaskQuery {
  readonly states?: readonly TaskState[] | undefined;
  readonly kind?: string | undefined;
  /** Only tasks with lower numbers. */
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface TaskCount {
  readonly kind: string;
  readonly state: TaskState;
  readonly count: number;
}

/** The right to run a task, until another process takes it over. */
export interface TaskLease {
  readonly id: number;
  /** Rises with each claim; a write with a lower one is rejected. */
  readonly fence: number;
}

export interface ClaimedTask {
  readonly lease: TaskLease;
  readonly task: Task;
}

/** The record that a process writes after a step of a task. */
export interface TaskStepRecord {
  readonly checkpoint: JsonObject;
  readonly progress: TaskProgress;
  /** Time of the work since the last record. */
  readonly workedMs: number;
  readonly log?: readonly string[];
}

export interface TaskEnd extends Partial<TaskStepRecord> {
  readonly state: EndedState | 'paused';
  readonly outcome?: JsonObject | undefined;
  readonly reason?: string | undefined;
  /** The code of the error, of a task that failed. */
  readonly failure?: ErrorCode | undefined;
}

/** The answer to each write of a running task: the state that operators want, or that the lease is lost. */
export type LeaseState = 'running' | 'pausing' | 'cancelling' | 'lost';

/**
 * A transaction of the store, handed through from {@link TaskStore.recordWithin} to another port of the same store. Its
 * content is the adapter's own.
 */
export interface StoreTransaction {
  readonly storeTransaction: unique symbol;
}

/**
 * Keeps the tasks of a catalog, and decides which process runs each.
 *
 * All times are those of the store's server, so that no process's clock matters.
 *
 * **Errors**: `UnavailableError` from every method.
 */
export interface TaskStore {
  /** Creates a task, or returns the one of the same kind and parameters that has not ended. */
  create(task: NewTask): Promise<{ readonly task: Task; readonly isNew: boolean }>;

  read(id: number): Promise<Task | undefined>;

  /** Lists tasks, the newest first. */
  list(query: TaskQuery): Promise<readonly Task[]>;

  /**
   * Gives `owner` the oldest task of `kinds` that no process runs, and that shares no subject with an older task that has not ended. A task whose process has not renewed its lease in time
   * is one of them, also when a pause or its end was requested.
   */
  claim(owner: string, kinds: readonly string[]): Promise<ClaimedTask | undefined>;

  /** Renews the lease during a long step. */
  renew(lease: TaskLease): Promise<LeaseState>;

  /** Writes a checkpoint and renews the lease. Writes nothing when the lease is lost. */
  record(lease: TaskLease, step: TaskStepRecord): Promise<LeaseState>;

  /**
   * Runs `work` in one transaction with the checkpoint that it returns: both are written, or neither. Nothing is written
   * when the lease is lost.
   */
  recordWithin<Step extends TaskStepRecord>(
    lease: TaskLease,
    work: (transaction: StoreTransaction) => Promise<Step>,
  ): Promise<{ readonly state: LeaseState; readonly step?: Step }>;

  /** Ends or pauses a task. False when the lease is lost. */
  end(lease: TaskLease, end: TaskEnd): Promise<boolean>;

  /** Deletes a task that ended without anything to record. False when the lease is lost. */
  discard(lease: TaskLease): Promise<boolean>;

  /** Gives the lease back, so that any process continues the task from its checkpoint: at once, or after `forMs`. */
  release(lease: TaskLease, forMs?: number): Promise<void>;

  /**
   * Applies a request, with a log entry that names the actor if it changes the state. Returns the task after it, and
   * `undefined` for an unknown one.
   */
  request(id: number, request: TaskRequest, actor: string): Promise<Task | undefined>;

  /** Finds, for each of these tasks that waits for its turn, the oldest unfinished task that shares a subject with it. */
  findBlockers(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;

  /** Counts the tasks of each kind in each state, without those that have ended. */
  countUnfinished(): Promise<readonly TaskCount[]>;

  /** Deletes tasks that ended longer ago than `ageMs`, but the newest ended one of each kind; returns their number. */
  purge(ageMs: number): Promise<number>;
}
