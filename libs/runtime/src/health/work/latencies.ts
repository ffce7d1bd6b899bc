/** The first limit, and how far apart two of them are: a quantile is at most a fifth too high. */
const FIRST_MS = 0.1;
const GROWTH = 1.2;
/** The last limit is beyond the longest request that the server answers. */
const BUCKETS = 90;

/** Counts durations in a bounded space, and estimates their quantiles. */
export class Latencies {
  private readonly counts = new Array<number>(BUCKETS).fill(0);
  private total = 0;

  get count(): number {
    return this.total;
  }

  add(ms: number): void {
    const at = Math.ceil(Math.log(Math.max(ms, FIRST_MS) / FIRST_MS) / Math.log(GROWTH));
    const bucket = Math.min(BUCKETS - 1, at);
    this.counts[bucket] = (this.counts[bucket] ?? 0) + 1;
    this.total += 1;
  }

  /** Returns the duration that a share of all does not exceed, in milliseconds; `undefined` without any. */
  quantile(share: number): number | undefined {
    if (this.total === 0) return undefined;
    let seen = 0;
    const at = this.counts.findIndex((count) => (seen += count) >= share * this.total);
    return Math.round(FIRST_MS * GROWTH ** at * 10) / 10;
  }
}
