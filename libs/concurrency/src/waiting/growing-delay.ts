/** Longest delay. A consumer notices this late that what it needs is back. */
const LONGEST_MS = 5_000;

/**
 * The delays between the attempts of work that fails: each is twice as long as the last. Failed work costs its servers space and time too: a
 * rolled back transaction leaves rows behind.
 *
 * **Units**: ms.
 */
export class GrowingDelay {
  private next: number;

  constructor(
    private readonly firstMs: number,
    private readonly longestMs = Math.max(firstMs, LONGEST_MS),
  ) {
    this.next = firstMs;
  }

  /** Returns the delay after a failure. */
  failed(): number {
    const delay = this.next;
    this.next = Math.min(2 * delay, this.longestMs);
    return delay;
  }

  /** The next failure begins with the first delay again. */
  succeeded(): void {
    this.next = this.firstMs;
  }
}
