/** Remembers the outcome of a read for a time, so that many callers share it. */
export class Cached<T> {
  private read: { readonly atMs: number; readonly outcome: Promise<T> } | undefined;

  /** **Units**: ms for the age. */
  constructor(
    private readonly readNow: () => Promise<T>,
    private readonly maxAgeMs: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {}

  /** **Errors**: those of the read, which the next call repeats. */
  current(): Promise<T> {
    const nowMs = this.nowMs();
    if (this.read === undefined || nowMs - this.read.atMs >= this.maxAgeMs) {
      const outcome = this.readNow();
      const read = { atMs: nowMs, outcome };
      this.read = read;
      outcome.catch(() => {
        if (this.read === read) this.forget();
      });
    }
    return this.read.outcome;
  }

  /** The next call reads again. */
  forget(): void {
    this.read = undefined;
  }
}
