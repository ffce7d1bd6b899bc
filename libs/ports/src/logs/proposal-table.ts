import type { ProposalEntry } from '@stratalog/domain';
import type { Batch, PartitionProgress } from './consumer';
import type { LoggedPosition } from './proposal-log';

/** A proposal that has no row, and its partition of the log. */
export interface UnloggedProposal {
  readonly proposal: ProposalEntry;
  readonly partition: number;
}

/** The rows of a proposal log that the store keeps itself: proposals that are logged and not applied. */
export interface ProposalTable {
  /** Number of partitions of the log. */
  readonly partitions: number;

  /** **Errors**: `UnavailableError` while the table may not grow. */
  requireRoom(): void;

  /** Reads the progress of every partition. */
  readOffsets(): Promise<ReadonlyMap<number, PartitionProgress>>;

  /** Stores proposals as rows at the end of their partitions, and returns their positions. */
  insert(unlogged: readonly UnloggedProposal[]): Promise<readonly LoggedPosition[]>;

  /** Reads the rows after the committed offsets, partition by partition, at most `maxRowsOf` rows of each. */
  read(
    offsetsByPartition: ReadonlyMap<number, PartitionProgress>,
    maxRowsOf: (partition: number) => number,
  ): Promise<Batch<ProposalEntry>>;
}
