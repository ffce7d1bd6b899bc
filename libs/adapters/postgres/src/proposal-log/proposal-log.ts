import type { ProposalEntry, WriteOutcome } from '@stratalog/model';
import type {
  ConsumerProgress,
  BatchHandler,
  LoggedPosition,
  Subscription,
  SubmittingLog,
  ProposalLog,
} from '@stratalog/ports';
import type { Database } from '../database/database';
import { CommitQueue } from './commit-queue';
import { LogTable } from './log-table';

export interface ProposalLogOptions {
  readonly partitions: number;
  /** Maximum number of proposals per commit. */
  readonly maxRecords: number;
}

/** Implements the proposal log with a table, and a commit queue that fills and drains it. */
export class PostgresProposalLog implements ProposalLog, SubmittingLog {
  /** About 20 s of work. Only later proposals of the same urn wait for it, and those that become rows of its partition. */
  readonly maxPatchedBytes = 1_000_000_000;
  private readonly table: LogTable;
  private readonly queue: CommitQueue;

  constructor(
    private readonly database: Database,
    options: ProposalLogOptions,
  ) {
    this.table = new LogTable(database, options.partitions);
    this.queue = new CommitQueue(this.table, options.maxRecords);
  }

  async append(entries: readonly ProposalEntry[]): Promise<readonly LoggedPosition[]> {
    this.database.requireRoom();
    return Promise.all(entries.map((entry) => this.queue.append(entry, this.table.partitionOf(entry))));
  }

  /**
   * Commits an entry at once and resolves with its outcome, if its partition has nothing unapplied and this process
   * consumes the log. Otherwise appends it and resolves with its position.
   *
   * **Errors**: those of `append`.
   */
  async appendAwaited(entry: ProposalEntry): Promise<LoggedPosition | WriteOutcome> {
    this.database.requireRoom();
    return this.queue.commit(entry, this.table.partitionOf(entry));
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
}
