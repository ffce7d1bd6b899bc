import type { PartitionProgress } from '@stratalog/ports';

/** Maximum number of urns that are kept of a partition. With more in the log, nothing passes its rows. */
const MAX_URNS = 10_000;

/** The urns of the rows of one log partition that are not applied, as far as this process has seen the rows. */
export class UrnsOfRows {
  private readonly urnsByOffset = new Map<number, readonly string[]>();
  private readonly counts = new Map<string, number>();

  add(offset: number, urns: readonly string[]): void {
    if (this.urnsByOffset.has(offset) || this.counts.size + urns.length > MAX_URNS) return;
    this.urnsByOffset.set(offset, urns);
    for (const urn of urns) this.counts.set(urn, (this.counts.get(urn) ?? 0) + 1);
  }

  dropThrough(committedOffset: number): void {
    for (const [offset, urns] of this.urnsByOffset) {
      if (offset > committedOffset) return;
      this.urnsByOffset.delete(offset);
      for (const urn of urns) {
        const left = (this.counts.get(urn) ?? 0) - 1;
        if (left > 0) this.counts.set(urn, left);
        else this.counts.delete(urn);
      }
    }
  }

  /** True when all rows of the partition are known, and none names one of these urns. */
  lack(urns: readonly string[], { committedOffset, endOffset }: PartitionProgress): boolean {
    return (
      this.urnsByOffset.size === endOffset - committedOffset && !urns.some((urn) => this.counts.has(urn))
    );
  }
}
