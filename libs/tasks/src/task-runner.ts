import { PollLoop, Semaphore, pause } from '@stratalog/concurrency';
import type { Clock, Subscription, SubscriptionStatus, TaskStore } from '@stratalog/ports';
import { runTask, type RunDeps } from './run-task';
import type { TaskKind } from './task-kind';
import { askInterval, createDueTask, type TaskSchedule } from './task-schedule';

export interface TaskRunnerOptions extends Pick<RunDeps, 'onFault'> {
  readonly store: TaskStore;
  /** The kinds of tasks that this process runs. */
  readonly kinds: readonly TaskKind[];
  /** Identifies this process among all others. */
  readonly owner: string;
  /** Ended tasks are deleted after this time. */
  readonly keepMs: number;
  /** Work that this process requests again and again, by its clock. */
  readonly recurring?: { readonly clock: Clock; readonly schedules: readonly TaskSchedule[] };
  /** Deletes what else has outlived its time; called as often as ended tasks are deleted. */
  readonly onPurge?: () => Promise<unknown>;
}

/** Tasks that work in one process at a time; those of operators, and as many of the catalog's own. A task that waits is not among them. */
const SLOTS = 4;
/** Tasks of one kind that a process has at a time, with those that wait: each renews its lease. */
const PLACES = 8;
/** The tasks that share slots. */
interface Lane {
  readonly kinds: readonly TaskKind[];
  readonly slots: Semaphore;
}

/** Interval between two looks for tasks; `wake` shortens it. */
const POLL_MS = 500;
const RETRY_MS = 1_000;
const PURGE_EVERY_MS = 600_000;

/**
 * Claims tasks and runs them, a few at a time. Several processes share the tasks of a store without running one twice.
 *
 * **Order and repeats**: the oldest task first. A stop gives the leases back, so that another process continues at once;
 * after a crash it continues when the lease expires.
 */
export class TaskRunner implements Subscription {
  private readonly kinds: ReadonlyMap<string, TaskKind>;
  private readonly runs = new Set<Promise<void>>();
  /** Number of tasks that this process has, by kind. */
  private readonly places = new Map<string, number>();
  private readonly lanes: readonly Lane[];
  private stopping = new AbortController();
  private waking = new AbortController();
  private purgeAt = 0;
  /** When the next check of each schedule is due. */
  private readonly askAt = new Map<TaskSchedule, number>();
  private readonly loop = new PollLoop({
    round: async () => {
      await this.claimTasks();
      await this.requestDueTasks();
    },
    untilNext: (_, signal) => this.untilNext(signal),
    retryDelayMs: RETRY_MS,
  });

  constructor(private readonly options: TaskRunnerOptions) {
    this.kinds = new Map(options.kinds.map((kind) => [kind.name, kind]));
    this.lanes = [false, true].map((isOwn) => ({
      kinds: options.kinds.filter((kind) => kind.isOwn === isOwn),
      slots: new Semaphore(SLOTS),
    }));
  }

  start(): Promise<void> {
    this.stopping = new AbortController();
    return this.loop.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.loop.stop();
    await Promise.all(this.runs);
  }

  status(): SubscriptionStatus {
    return this.loop.status();
  }

  /** Looks for tasks now, because this process has created one. */
  wake(): void {
    this.waking.abort();
  }

  private async claimTasks(): Promise<void> {
    const { store, keepMs } = this.options;
    for (const lane of this.lanes) while (await this.claimNext(lane));
    if (performance.now() < this.purgeAt) return;
    await store.purge(keepMs);
    await this.options.onPurge?.();
    this.purgeAt = performance.now() + PURGE_EVERY_MS;
  }

  /** False when no task is left, or no place for one. */
  private async claimNext({ kinds, slots }: Lane): Promise<boolean> {
    const { store, owner, onFault } = this.options;
    const open = kinds.filter(({ name }) => !this.isFull(name));
    const { signal } = this.stopping;
    if (open.length === 0 || slots.use().running >= SLOTS || signal.aborted) return false;
    const claimed = await store.claim(
      owner,
      open.map(({ name }) => name),
    );
    const kind = open.find(({ name }) => name === claimed?.task.kind);
    if (claimed === undefined || kind === undefined) return false;
    const isCrowded = (): boolean => this.isFull(kind.name);
    this.begin(kind.name, runTask(kind, claimed, { store, onFault, slots, isCrowded, signal }));
    return true;
  }

  private isFull(kind: string): boolean {
    return (this.places.get(kind) ?? 0) >= PLACES;
  }

  private async requestDueTasks(): Promise<void> {
    const { store: tasks, recurring } = this.options;
    if (recurring === undefined) return;
    for (const schedule of recurring.schedules) {
      if (performance.now() < (this.askAt.get(schedule) ?? 0)) continue;
      await createDueTask({ tasks, clock: recurring.clock }, schedule);
      this.askAt.set(schedule, performance.now() + askInterval(schedule));
    }
  }

  private begin(kind: string, run: Promise<void>): void {
    const count = (change: number): unknown => this.places.set(kind, (this.places.get(kind) ?? 0) + change);
    this.runs.add(run);
    count(1);
    void run.finally(() => {
      this.runs.delete(run);
      count(-1);
      this.wake();
    });
  }

  private async untilNext(signal: AbortSignal): Promise<void> {
    await pause(POLL_MS, AbortSignal.any([signal, this.waking.signal]));
    this.waking = new AbortController();
  }
}
