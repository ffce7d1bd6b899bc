type Job = () => Promise<void>;

/**
 * Runs many jobs at once, but those of one key one after another in the order in which they were added.
 *
 * Each key that has jobs has a lane. A lane stands in `ready` until its first job starts; while that one runs, the lane is
 * nowhere but in the map, and it stands in line again when the job has ended and others wait.
 */
export class OrderedPool {
  private readonly lanes = new Map<string, Job[]>();
  private readonly ready: string[] = [];
  private running = 0;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;

  /** `concurrency` is how many jobs run at the same time. */
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
   * Resolves when nothing runs or waits any more.
   *
   * **Errors**: rejects with what the first job rejected with, after which nothing more is started.
   */
  async drain(): Promise<void> {
    while (this.running > 0 || this.ready.length > 0) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
    if (this.failure !== undefined) throw this.failure.error;
  }

  /** Forgets the jobs that have not started; the running ones end by themselves. */
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
