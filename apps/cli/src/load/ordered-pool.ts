type Job = () => Promise<void>;

/**
 * Runs many jobs at once, but those of one key one after another in the order in which they were added.
 *
 * Each key that has jobs has a lane. A lane stands in `ready` until its first job starts. While that job
 * runs, the lane is only in the map. When the job has ended and others wait, the lane joins `ready` again.
 */
export class OrderedPool {
  private readonly lanes = new Map<string, Job[]>();
  private readonly ready: string[] = [];
  private running = 0;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;

  /** `concurrency` is the number of jobs that run at the same time. */
  constructor(private readonly concurrency: number) {}

  /** Adds a job. */
  add(key: string, job: Job): void {
    const lane = this.lanes.get(key);
    if (lane === undefined) {
      this.lanes.set(key, [job]);
      this.ready.push(key);
    } else {
      lane.push(job);
    }
    this.start();
  }

  /**
   * Resolves when no job runs or waits any more.
   *
   * **Errors**: rejects with the error of the first failed job, after which no job starts.
   */
  async drain(): Promise<void> {
    while (this.running > 0 || this.ready.length > 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.failure !== undefined) throw this.failure.error;
  }

  /** Discards the jobs that have not started; the running ones end by themselves. */
  stop(): void {
    this.lanes.clear();
    this.ready.length = 0;
  }

  private start(): void {
    while (this.running < this.concurrency) {
      const key = this.ready.shift();
      const job = key === undefined ? undefined : this.lanes.get(key)?.shift();
      if (key === undefined || job === undefined) return;
      this.running++;
      void job()
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
}
