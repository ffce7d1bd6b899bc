/** A part of the process's memory that requests share. A request that finds no room waits in line. */
export class MemoryShare {
  private taken = 0;
  private readonly waiting = new Set<Waiter>();

  /** **Units**: bytes. */
  constructor(readonly limit: number) {}

  /** The bytes that are free for one that does not wait. */
  get free(): number {
    return this.waiting.size > 0 ? 0 : this.limit - this.taken;
  }

  /** Takes the bytes when there is room and no other request waits. */
  tryTake(bytes: number): boolean {
    if (bytes > this.free) return false;
    this.taken += bytes;
    return true;
  }

  /**
   * Takes the bytes, at most {@link limit}, when those before it in line have theirs. Resolves with false, and has taken
   * nothing, when `signal` aborts first.
   */
  take(bytes: number, signal: AbortSignal): Promise<boolean> | true {
    if (this.tryTake(bytes)) return true;
    return new Promise((resolve) => {
      const waiter: Waiter = {
        bytes,
        begin: () => {
          signal.removeEventListener('abort', leave);
          resolve(true);
        },
      };
      const leave = (): void => {
        this.waiting.delete(waiter);
        resolve(false);
        this.serve();
      };
      if (signal.aborted) {
        resolve(false);
        return;
      }
      this.waiting.add(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  give(bytes: number): void {
    this.taken -= bytes;
    this.serve();
  }

  private serve(): void {
    for (const waiter of this.waiting) {
      if (this.taken + waiter.bytes > this.limit) return;
      this.waiting.delete(waiter);
      this.taken += waiter.bytes;
      waiter.begin();
    }
  }
}

interface Waiter {
  readonly bytes: number;
  readonly begin: () => void;
}
