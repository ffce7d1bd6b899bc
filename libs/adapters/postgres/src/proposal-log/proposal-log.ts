import type { ProposalEntry, WriteOutcome } from '@stratalog/model';
import type {
  ConsumerProgress,
  BatchHandler,
  LogPosition,
  Subscription,
  SubmittingLog,
  SubscriptionStatus,
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

/**
 * Number of commit queues. While the server commits for one, this process reads and validates the requests of the
 * other. More queues only make the commits smaller.
 */
const COMMIT_QUEUES = 2;

/** Implements the proposal log with a table, and commit queues that fill and drain it. */
export class PostgresProposalLog implements ProposalLog, SubmittingLog {
  private readonly table: LogTable;
  private readonly queues: readonly CommitQueue[];

  constructor(database: Database, options: ProposalLogOptions) {
    this.table = new LogTable(database, options.partitions);
    const partitions = Array.from({ length: options.partitions }, (_, partition) => partition);
    this.queues = Array.from({ length: Math.min(COMMIT_QUEUES, options.partitions) }, (_, queue) => {
      const own = new Set(partitions.filter((partition) => partition % COMMIT_QUEUES === queue));
      return new CommitQueue(this.table, own, options.maxRecords);
    });
  }

  append(entries: readonly ProposalEntry[]): Promise<readonly LogPosition[]> {
    return Promise.all(
      entries.map((entry) => {
        const partition = this.table.partitionOf(entry);
        return this.findQueue(partition).append(entry, partition);
      }),
    );
  }

  /**
   * Commits an entry at once and resolves with its outcome, if its partition has nothing unapplied and this process
   * consumes the log. Otherwise appends it and resolves with its position.
   *
   * **Errors**: those of `append`.
   */
  appendAwaited(entry: ProposalEntry): Promise<LogPosition | WriteOutcome> {
    const partition = this.table.partitionOf(entry);
    return this.findQueue(partition).commit(entry, partition);
  }

  async progress(): Promise<ConsumerProgress> {
    const offsetsByPartition = [...(await this.table.readOffsets())];
    return new Map(
      offsetsByPartition.map(([partition, { head, applied }]) => [
        partition,
        { committed: applied, end: head },
      ]),
    );
  }

  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription {
    return {
      start: () => {
        for (const queue of this.queues) queue.start(handler);
        return Promise.resolve();
      },
      stop: async () => {
        await Promise.all(this.queues.map((queue) => queue.stop()));
      },
      status: () => this.firstNotRunning(),
    };
  }

  private findQueue(partition: number): CommitQueue {
    const queue = this.queues[partition % COMMIT_QUEUES];
    if (queue === undefined) throw new RangeError(`Partition ${String(partition)} has no commit queue`);
    return queue;
  }

  private firstNotRunning(): SubscriptionStatus {
    const all = this.queues.map((queue) => queue.status());
    return all.find(({ state }) => state !== 'running') ?? { state: 'running' };
  }
}
