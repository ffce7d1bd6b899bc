/** Samples of one partition; beyond so many, every second one is dropped. */
const MAX_SAMPLES = 512;

/**
 * Estimates for how long records wait, from the ends of partitions that it saw before. The store keeps no time for each record of
 * every log, so the estimate is as old as the last time it was told.
 */
export class LagClock {
  private readonly samples = new Map<string, { readonly endOffset: number; readonly atMs: number }[]>();

  /** Returns the seconds since the first record after `committedOffset` was seen. */
  tell(
    partition: string,
    { committedOffset, endOffset }: { readonly committedOffset: number; readonly endOffset: number },
    nowMs: number,
  ): number {
    let own = (this.samples.get(partition) ?? []).filter((sample) => sample.endOffset > committedOffset);
    if (endOffset > (own.at(-1)?.endOffset ?? committedOffset)) own.push({ endOffset, atMs: nowMs });
    if (own.length > MAX_SAMPLES) own = own.filter((_, at) => at % 2 === 0);
    this.samples.set(partition, own);
    const [first] = own;
    return first === undefined ? 0 : (nowMs - first.atMs) / 1_000;
  }
}
