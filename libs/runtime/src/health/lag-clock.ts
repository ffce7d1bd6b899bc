/** Samples of one partition; beyond so many, every second one is dropped. */
const MAX_SAMPLES = 512;

/**
 * Estimates for how long records wait, from the ends of partitions that it saw before. The store keeps no time for each record of
 * every log, so the estimate is as old as the last time it was told.
 */
export class LagClock {
  private readonly samples = new Map<string, { readonly end: number; readonly atMs: number }[]>();

  /** Returns the seconds since the first record after `committed` was seen. */
  tell(
    partition: string,
    { committed, end }: { readonly committed: number; readonly end: number },
    nowMs: number,
  ): number {
    let own = (this.samples.get(partition) ?? []).filter((sample) => sample.end > committed);
    if (end > (own.at(-1)?.end ?? committed)) own.push({ end, atMs: nowMs });
    if (own.length > MAX_SAMPLES) own = own.filter((_, at) => at % 2 === 0);
    this.samples.set(partition, own);
    const [first] = own;
    return first === undefined ? 0 : (nowMs - first.atMs) / 1_000;
  }
}
