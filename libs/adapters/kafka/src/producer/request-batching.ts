export interface RequestBatchingOptions {
  /** Minimum interval between the starts of two requests, in ms. */
  readonly minLingerMs: number;
  /** Maximum interval from the last start for which a request waits for more records, in ms. */
  readonly maxLingerMs: number;
  /**
   * Expected number of records within `maxLingerMs` that makes the longer wait minExpectedRecords, judged by recent
   * requests.
   */
  readonly minExpectedRecords: number;
  /** Number of records at which a request waits no longer. */
  readonly enoughRecords: number;
}

/** Weight of the latest request in the moving average. */
const WEIGHT = 0.2;

/**
 * Decides how long a request waits for records to share it.
 *
 * Few callers do not wait, because no records join them. With very many callers a request has enoughRecords records at
 * once. In between, a steady stream makes fewer and larger requests.
 */
export class RequestBatching {
  private lastAt = -Infinity;
  /** Moving average of records per millisecond. */
  private perMs = 0;
  private wake: (() => void) | undefined;

  constructor(private readonly options: RequestBatchingOptions) {}

  /** Resolves when a request may start with the waiting records, which `waiting` counts. */
  async turn(waiting: () => number): Promise<void> {
    const { minLingerMs, maxLingerMs, minExpectedRecords, enoughRecords } = this.options;
    await this.until(this.lastAt + minLingerMs);
    const isWorthwhile = this.perMs * maxLingerMs >= minExpectedRecords;
    if (isWorthwhile && waiting() < enoughRecords)
      await this.until(this.lastAt + maxLingerMs, () => waiting() >= enoughRecords);
    const now = performance.now();
    this.perMs += WEIGHT * (waiting() / (now - this.lastAt) - this.perMs);
    this.lastAt = now;
  }

  /** Reports that another record waits. */
  recordAdded(): void {
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
