interface Job {
  readonly size: number;
  readonly run: () => Promise<void>;
}

export interface OrderedPoolOptions {
  /** Jobs that run at the same time. */
  readonly concurrency: number;
  /** Jobs that may wait for a turn before {@link OrderedPool.add} makes its caller wait. */
  readonly maxWaiting: number;
  /** The same for the sum of their sizes. */
  readonly maxWaitingSize: number;
}

/**
 * Runs many jobs at once, but those of one key one after another in the order in which they were added.
 *
 * Each key that has jobs has a lane. A lane stands in `ready` until its first job starts; while that one runs, the lane is
 * nowhere but in the map, and it stands in line again when the job has ended and others wait. So a long run of one key
 * occupies one place, and the waiting room is there to find other keys behind it.
 */
export class OrderedPool {
  private readonly lanes = new Map<string, Job[]>();
  private readonly ready: string[] = [];
  private running = 0;
  private waiting = 0;
  private waitingSize = 0;
  private stopped = false;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly options: OrderedPoolOptions) {}

  /**
   * Adds a job and returns when there is room for another. One caller at a time. After {@link stop} it does nothing.
   *
   * **Errors**: rejects with what a job rejected with, and nothing more is started.
   */
  async add(key: string, job: Job): Promise<void> {
    if (this.stopped) return;
    const lane = this.lanes.get(key);
    if (lane === undefined) {
      this.lanes.set(key, [job]);
      this.ready.push(key);
    } else {
      lane.push(job);
    }
    this.waiting++;
    this.waitingSize += job.size;
    this.start();
    const { maxWaiting, maxWaitingSize } = this.options;
    await this.until(() => this.waiting < maxWaiting && this.waitingSize < maxWaitingSize);
  }

  /**
   * Resolves when nothing runs or waits any more.
   *
   * **Errors**: as {@link add}.
   */
  async drain(): Promise<void> {
    await this.until(() => this.running === 0 && this.waiting === 0);
  }

  /** Forgets the jobs that have not started; the running ones end by themselves. */
  stop(): void {
    this.stopped = true;
    this.lanes.clear();
    this.ready.length = 0;
    this.waiting = 0;
    this.waitingSize = 0;
    this.wake?.();
  }

  private start(): void {
    while (this.running < this.options.concurrency) {
      const key = this.ready.shift();
      if (key === undefined) return;
      const job = this.lanes.get(key)?.shift();
      if (job === undefined) continue;
      this.running++;
      this.waiting--;
      this.waitingSize -= job.size;
      void job
        .run()
        .catch((error: unknown) => {
          this.failure ??= { error };
          this.stop();
        })
        .finally(() => {
          this.finish(key);
        });
    }
  }

  private finish(key: string): void {
    this.running--;
    const lane = this.lanes.get(key);
    if (lane?.length === 0) this.lanes.delete(key);
    else if (lane !== undefined) this.ready.push(key);
    this.start();
    this.wake?.();
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = undefined;
    }
    if (this.failure !== undefined) throw this.failure.error;
  }
}
