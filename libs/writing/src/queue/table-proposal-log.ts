import { partitionOf, proposalsIn, type ProposalEntry, type WriteOutcome } from '@stratalog/domain';
import type {
  ConsumerProgress,
  BatchHandler,
  LoggedPosition,
  Subscription,
  SubmittingLog,
  ProposalLog,
  ProposalTable,
} from '@stratalog/ports';
import { CommitQueue } from './commit-queue';

/** The proposal log of a store that keeps it in a table: a commit queue fills and drains the table. */
export class TableProposalLog implements ProposalLog, SubmittingLog {
  /** About 20 s of work. Only later proposals of the same urn wait for it, and those that become rows of its partition. */
  readonly maxPatchedBytes = 1_000_000_000;
  private readonly queue: CommitQueue;

  /** `maxRecords`: most proposals per commit. */
  constructor(
    private readonly table: ProposalTable,
    maxRecords: number,
  ) {
    this.queue = new CommitQueue(table, maxRecords);
  }

  async append(entries: readonly ProposalEntry[]): Promise<readonly LoggedPosition[]> {
    this.table.requireRoom();
    return Promise.all(entries.map((entry) => this.queue.append(entry, this.partitionOf(entry))));
  }

  /**
   * Commits an entry at once and resolves with its outcome, if its partition has nothing unapplied and this process
   * consumes the log. Otherwise appends it and resolves with its position.
   *
   * **Errors**: those of `append`.
   */
  async appendAwaited(entry: ProposalEntry): Promise<LoggedPosition | WriteOutcome> {
    this.table.requireRoom();
    return this.queue.commit(entry, this.partitionOf(entry));
  }

  async progress(): Promise<ConsumerProgress> {
    const offsetsByPartition = [...(await this.table.readOffsets())];
    return new Map(
      offsetsByPartition.map(([partition, { endOffset, committedOffset }]) => [
        partition,
        { committedOffset, endOffset },
      ]),
    );
  }

  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription {
    return {
      start: () => {
        this.queue.start(handler);
        return Promise.resolve();
      },
      stop: () => this.queue.stop(),
      status: () => this.queue.status(),
    };
  }

  /** The first urn of a batch decides its partition. */
  private partitionOf(entry: ProposalEntry): number {
    return partitionOf(proposalsIn(entry)[0].urn, this.table.partitions);
  }
}
