import type { ProposalEntry } from '@stratalog/domain';
import type { Batch, LogRange, LogRecord, PartitionProgress, UnloggedProposal } from '@stratalog/ports';

/** True when a partition has rows that are not applied. */
export function hasRows(offsetsByPartition: ReadonlyMap<number, PartitionProgress>): boolean {
  return [...offsetsByPartition].some(([, { endOffset, committedOffset }]) => endOffset > committedOffset);
}

/**
 * Numbers proposals without rows as if they followed the log. Where the log has rows, they pass them: the caller knows
 * that no row names one of their urns.
 */
export function numberUnlogged(
  unlogged: readonly UnloggedProposal[],
  offsetsByPartition: ReadonlyMap<number, PartitionProgress>,
): Batch<ProposalEntry> {
  const ranges = new Map<number, LogRange>();
  const counts = new Map<number, number>();
  const records: LogRecord<ProposalEntry>[] = unlogged.map(({ proposal, partition }) => {
    const { committedOffset: from = 0, endOffset = 0 } = offsetsByPartition.get(partition) ?? {};
    const count = (counts.get(partition) ?? 0) + 1;
    counts.set(partition, count);
    const passes = endOffset > from;
    ranges.set(partition, {
      partition,
      from,
      to: passes ? from : from + count,
      unlogged: true,
      ...(passes ? { passing: endOffset } : {}),
    });
    return { partition, offset: from + count, content: { kind: 'decoded', value: proposal } };
  });
  return { records, ranges: [...ranges.values()] };
}
