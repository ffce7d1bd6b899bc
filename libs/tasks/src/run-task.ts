import { StratalogError, type TaskState } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { actForProcess, measure, pause, type Semaphore } from '@stratalog/concurrency';
import type { ClaimedTask, LeaseState, TaskEnd, TaskStore } from '@stratalog/ports';
import { keepLease } from './keep-lease';
import type { StopRequest, TaskContext, TaskKind, TaskStanding, TaskStep } from './task-kind';

export interface RunDeps {
  readonly store: TaskStore;
  /** The places for tasks that work; one that waits takes none. */
  readonly slots: Semaphore;
  /** True when others wait for this process to take them, and it has no place for one more task. */
  readonly isCrowded: () => boolean;
  /** Aborts when the process stops. */
  readonly signal: AbortSignal;
  /** Receives the cause of a failure that is no fault of the request. */
  readonly onFault: (task: { readonly id: number; readonly kind: string }, cause: unknown) => void;
}

/** Begins the log entry of a task that waits for a server. */
export const WAITS = 'waits: ';
/** Follows it in the log when the wait is over. */
const GOES_ON = 'goes on';

/** Pauses between the attempts of a step whose servers do not answer. */
const FIRST_RETRY_MS = 500;
const LAST_RETRY_MS = 30_000;

/** In a crowd a task that has waited for so long goes away for as long, so that others have their turn. */
const TURN_MS = 10_000;

const NO_PAUSE = { ms: 0 };

type NextMove = 'work' | 'pause' | 'cancel' | 'release' | 'leave';

/** Decides what a process does with its task. A request of an operator goes before the stop of the process. */
export function decideMove(state: LeaseState, isStopping: boolean): NextMove {
  switch (state) {
    case 'lost':
      return 'leave';
    case 'pausing':
      return 'pause';
    case 'cancelling':
      return 'cancel';
    case 'running':
      return isStopping ? 'release' : 'work';
  }
}

/**
 * Runs a claimed task step by step until it ends, an operator stops it, the process stops, or another process takes over.
 *
 * **Errors**: none. A step whose servers do not answer is repeated after a pause. A task that fails says why; the cause of
 * a fault of ours goes to `onFault`.
 */
export function runTask(kind: TaskKind, claimed: ClaimedTask, deps: RunDeps): Promise<void> {
  return actForProcess(() => new TaskRun(kind, claimed, deps).run());
}

class TaskRun {
  private readonly leaving = new AbortController();
  private readonly signal: AbortSignal;
  private at: TaskStanding<JsonObject> | undefined;
  private workedMs: number;
  private state: LeaseState;
  private retryMs = FIRST_RETRY_MS;
  private lastFailure = '';
  /** The error that the last move ended with, and that the next one resumes from. */
  private failure: StratalogError | undefined;
  /** Pause before the next move, and whether others work for the task meanwhile. */
  private pause: { readonly ms: number; readonly isWorkedOn?: boolean | undefined } = NO_PAUSE;
  /** Since the task last did anything. */
  private waitedMs = 0;
  /** True when a step may have been interrupted: what it did by then, nothing has counted. */
  private isInterrupted: boolean;

  constructor(
    private readonly kind: TaskKind,
    private readonly claimed: ClaimedTask,
    private readonly deps: RunDeps,
  ) {
    const { checkpoint, progress, workedMs, state } = claimed.task;
    this.signal = AbortSignal.any([deps.signal, this.leaving.signal]);
    this.at = checkpoint === undefined ? undefined : { checkpoint, progress };
    this.workedMs = workedMs;
    this.state = toLeaseState(state);
    this.isInterrupted = claimed.lease.fence > 1;
    const last = claimed.task.log.at(-1)?.text ?? '';
    if (last.startsWith(WAITS)) this.lastFailure = last.slice(WAITS.length);
  }

  async run(): Promise<void> {
    const { store } = this.deps;
    const stopKeeping = keepLease(store, this.claimed.lease, (state) => {
      if (state === 'lost') this.leaving.abort();
    });
    try {
      while (await this.deps.slots.run(() => this.move())) {
        await pause(this.pause.ms, this.signal);
        if (this.leaving.signal.aborted) return;
        if (this.waitedMs >= TURN_MS && this.deps.isCrowded()) {
          await store.release(this.claimed.lease, TURN_MS);
          return;
        }
      }
    } catch {
      // The store is unavailable. The lease expires, and then any process continues from the checkpoint.
    } finally {
      stopKeeping();
    }
  }

  /** Makes the next move; false after the last. */
  private async move(): Promise<boolean> {
    const { store, signal } = this.deps;
    const { lease } = this.claimed;
    if (this.failure !== undefined) await this.resume(this.failure);
    switch (decideMove(this.state, signal.aborted)) {
      case 'leave':
        return false;
      case 'release':
        await store.release(lease);
        return false;
      case 'pause':
        return this.stopAt('pause', { state: 'paused' });
      case 'cancel':
        return this.stopAt('cancel', { state: 'cancelled', log: ['cancelled'] });
      case 'work':
        return this.work();
    }
  }

  /** Ends or pauses the task once the kind has obeyed; a failed attempt is repeated, unless the request changes. */
  private async stopAt(request: StopRequest, end: TaskEnd): Promise<boolean> {
    try {
      if (this.at !== undefined) await this.kind.obey(request, this.context(), this.at);
    } catch (error) {
      return this.settleFailure(error);
    }
    const { store } = this.deps;
    if (await store.end(this.claimed.lease, end)) return false;
    // The request changed meanwhile, or the lease is lost.
    this.state = await store.renew(this.claimed.lease);
    return true;
  }

  private async work(): Promise<boolean> {
    const beganAt = performance.now() - (this.pause.isWorkedOn === true ? this.pause.ms : 0);
    this.pause = NO_PAUSE;
    try {
      const step = await (this.at === undefined ? this.begin() : this.step(this.at, beganAt));
      if (step === undefined) return false;
      this.retryMs = FIRST_RETRY_MS;
      if (step.kind === 'wait') {
        this.waitFor(step.pauseMs);
        return true;
      }
      this.lastFailure = '';
      this.waitedMs = 0;
      if (step.kind === 'next') {
        this.pause = { ms: step.pauseMs ?? 0, isWorkedOn: step.isWorkedOn };
        return true;
      }
      await this.end(step, performance.now() - beganAt);
      return false;
    } catch (error) {
      return this.settleFailure(error);
    }
  }

  private waitFor(ms: number): void {
    this.pause = { ms };
    this.waitedMs += ms;
  }

  private async begin(): Promise<TaskStep<JsonObject>> {
    const beganAt = performance.now();
    const standing = await this.kind.start(this.context());
    await this.record(standing, beganAt);
    return { kind: 'next', ...standing };
  }

  /** `undefined` when the lease is lost, so that nothing was written. */
  private async step(
    at: TaskStanding<JsonObject>,
    beganAt: number,
  ): Promise<TaskStep<JsonObject> | undefined> {
    if (!this.kind.isWithin(at.checkpoint)) {
      const step = await this.kind.step(this.context(), at);
      if (step.kind === 'next') await this.record(step, beganAt);
      else if (step.kind === 'wait') this.state = await this.deps.store.renew(this.claimed.lease);
      return step;
    }
    let step: TaskStep<JsonObject> | undefined;
    const written = await this.deps.store.recordWithin(this.claimed.lease, async (transaction) => {
      step = await this.kind.step(this.context(), at, transaction);
      if (step.kind === 'wait') return { ...at, log: [], workedMs: 0 };
      const log = this.logOf(step);
      return { ...at, ...step, log, workedMs: step.kind === 'next' ? performance.now() - beganAt : 0 };
    });
    if (written.state === 'lost' || step === undefined) return undefined;
    if (step.kind === 'next') this.note(step, written.state, beganAt);
    else if (step.kind === 'wait') this.state = written.state;
    return step;
  }

  private async record(standing: TaskStanding<JsonObject>, beganAt: number): Promise<void> {
    const workedMs = performance.now() - beganAt;
    const log = this.logOf(standing);
    this.note(
      standing,
      await this.deps.store.record(this.claimed.lease, { ...standing, log, workedMs }),
      beganAt,
    );
  }

  /** The entries of a step; the first one ends the wait before it. */
  private logOf({ log = [] }: { readonly log?: readonly string[] | undefined }): readonly string[] {
    return this.lastFailure === '' ? log : [GOES_ON, ...log];
  }

  private note({ checkpoint, progress }: TaskStanding<JsonObject>, state: LeaseState, beganAt: number): void {
    const units = progress.done - (this.at?.progress.done ?? 0);
    if (state !== 'lost' && units > 0) measure('task', { kind: this.kind.name, units });
    this.at = { checkpoint, progress };
    this.state = state;
    this.workedMs += performance.now() - beganAt;
  }

  private async end(
    step: Exclude<TaskStep<JsonObject>, { kind: 'next' | 'wait' }>,
    workedMs: number,
  ): Promise<void> {
    const { kind: state, checkpoint, progress, log, outcome } = step;
    const isWithin = this.at !== undefined && this.kind.isWithin(this.at.checkpoint);
    const end: TaskEnd = {
      state,
      workedMs,
      outcome,
      ...(checkpoint === undefined ? {} : { checkpoint }),
      ...(progress === undefined ? {} : { progress }),
      // A step within a transaction has written its entries with its effects.
      ...(log === undefined || isWithin ? {} : { log }),
      ...(step.kind === 'failed' ? { reason: step.reason } : {}),
    };
    const units = (progress?.done ?? 0) - (this.at?.progress.done ?? 0);
    const { store } = this.deps;
    const { lease } = this.claimed;
    const leavesRecord = step.kind === 'failed' || step.isWithoutTrace !== true || this.isInterrupted;
    const isEnded = await (leavesRecord ? store.end(lease, end) : store.discard(lease));
    if (isEnded && units > 0) measure('task', { kind: this.kind.name, units });
  }

  /** Retries what may succeed later; ends the task otherwise. */
  private async settleFailure(error: unknown): Promise<boolean> {
    const { store, onFault } = this.deps;
    const { lease, task } = this.claimed;
    if (error instanceof StratalogError && error.retryable) {
      this.isInterrupted = true;
      this.waitFor(this.retryMs);
      this.retryMs = Math.min(LAST_RETRY_MS, this.retryMs * 2);
      this.failure = error;
      return true;
    }
    const isOfRequest = error instanceof StratalogError && error.code !== 'fault';
    if (!isOfRequest) onFault({ id: task.id, kind: task.kind }, error);
    const end = isOfRequest
      ? { reason: error.message, failure: error.code }
      : { reason: FAULT, failure: 'fault' as const };
    await store.end(lease, { state: 'failed', ...end });
    return false;
  }

  /**
   * Continues after a failure from the stored checkpoint: the failed step may have been recorded although its answer was
   * lost. Writes the reason into the log of the task, once.
   */
  private async resume(failure: StratalogError): Promise<void> {
    const { store } = this.deps;
    const { lease, task } = this.claimed;
    this.failure = undefined;
    const stored = await store.read(task.id);
    if (stored?.checkpoint !== undefined)
      this.at = { checkpoint: stored.checkpoint, progress: stored.progress };
    const isNew = failure.message !== this.lastFailure;
    this.lastFailure = failure.message;
    this.state = await (isNew && this.at !== undefined
      ? store.record(lease, { ...this.at, workedMs: 0, log: [`${WAITS}${failure.message}`] })
      : store.renew(lease));
  }

  private context(): TaskContext<JsonObject> {
    const { id, parameters, actor } = this.claimed.task;
    return { id, parameters, actor, workedMs: this.workedMs, signal: this.signal };
  }
}

/** The reason of a task that failed by a fault of ours. */
const FAULT = 'An internal fault; the log of the process that ran the task has the cause';

/** A claimed task is running, or was about to obey a request when its process was lost. */
function toLeaseState(state: TaskState): LeaseState {
  return state === 'pausing' || state === 'cancelling' ? state : 'running';
}
