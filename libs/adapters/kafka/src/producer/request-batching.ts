export interface RequestBatchingOptions {
  /** Requests begin so far apart at least, in milliseconds. */
  readonly leastMs: number;
  /** A request waits for more records until the last one began so long ago, when that is worth it. */
  readonly mostMs: number;
  /** It is worth it when so many come in that time, judged by the last requests. */
  readonly worthwhile: number;
  /** With so many nothing more is waited for. */
  readonly enough: number;
}

/** How much the latest request counts beside those before it. */
const WEIGHT = 0.2;

/**
 * How long a request waits for records that could travel with it. Few callers are not kept waiting, because nobody joins them; with very
 * many, a request has enough at once. Between the two, a steady stream makes fewer and larger requests.
 */
export class RequestBatching {
  private lastAt = -Infinity;
  /** Records that came in a millisecond, of late. */
  private perMs = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly options: RequestBatchingOptions) {}

  /** Resolves when a request may begin with what waits by then, which `waiting` counts. */
  async turn(waiting: () => number): Promise<void> {
    const { leastMs, mostMs, worthwhile, enough } = this.options;
    await this.until(this.lastAt + leastMs);
    const isWorthwhile = this.perMs * mostMs >= worthwhile;
    if (isWorthwhile && waiting() < enough) await this.until(this.lastAt + mostMs, () => waiting() >= enough);
    const now = performance.now();
    this.perMs += WEIGHT * (waiting() / (now - this.lastAt) - this.perMs);
    this.lastAt = now;
  }

  /** Something more waits. */
  grew(): void {
    this.wake?.();
  }

  private async until(atMs: number, isEnough = (): boolean => false): Promise<void> {
    const waitMs = atMs - performance.now();
    if (waitMs <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, waitMs);
      this.wake = () => {
        if (!isEnough()) return;
        clearTimeout(timer);
        resolve();
      };
    });
    this.wake = undefined;
  }
}
