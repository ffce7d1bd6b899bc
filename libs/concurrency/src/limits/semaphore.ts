/** Lets a fixed number of jobs run at a time; the others wait in order of arrival. */
export class Semaphore {
  private readonly waiting = new Set<() => void>();

  private free: number;

  /** `size`: how many jobs run at a time. */
  constructor(private readonly size: number) {
    this.free = size;
  }

  /** How many jobs run, wait, and may run at a time. */
  use(): { readonly running: number; readonly waiting: number; readonly size: number } {
    return { running: this.size - this.free, waiting: this.waiting.size, size: this.size };
  }

  /**
   * Runs `work` when its turn comes.
   *
   * **Errors**: the reason of `signal` when it aborts before the turn comes; then `work` does not run.
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.free > 0) this.free--;
    else await this.turn(signal);
    try {
      return await work();
    } finally {
      this.passOn();
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.waiting.delete(begin);
        reject(signal?.reason as Error);
      };
      if (signal?.aborted === true) {
        leave();
        return;
      }
      this.waiting.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }

  private passOn(): void {
    const [next] = this.waiting;
    if (next === undefined) {
      this.free++;
      return;
    }
    this.waiting.delete(next);
    next();
  }
}
