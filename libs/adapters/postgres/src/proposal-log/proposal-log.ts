import type { ProposalEntry, WriteOutcome } from '@stratalog/model';
import type {
  AppendOptions,
  Appended,
  BatchHandler,
  Subscription,
  SubscriptionStatus,
  ProposalLog,
} from '@stratalog/ports';
import type { Database } from '../database/database';
import { CommitQueue } from './commit-queue';
import { LogTable } from './log-table';

export interface ProposalLogOptions {
  readonly partitions: number;
  /** At most this many proposals share one commit. */
  readonly maxRecords: number;
}

/**
 * Two lanes of partitions take turns on the processor: while the server commits for one, this process reads and checks the requests
 * of the other. More lanes only make the commits smaller.
 */
const COMMIT_QUEUES = 2;

/** The embedded proposal log: a table, and lanes that fill and drain it. */
export class PostgresProposalLog implements ProposalLog {
  private readonly table: LogTable;
  private readonly lanes: readonly CommitQueue[];

  constructor(database: Database, options: ProposalLogOptions) {
    this.table = new LogTable(database, options.partitions);
    const partitions = Array.from({ length: options.partitions }, (_, partition) => partition);
    this.lanes = Array.from({ length: Math.min(COMMIT_QUEUES, options.partitions) }, (_, lane) => {
      const own = new Set(partitions.filter((partition) => partition % COMMIT_QUEUES === lane));
      return new CommitQueue(this.table, own, options.maxRecords);
    });
  }

  append(proposals: readonly ProposalEntry[], options: AppendOptions): Promise<readonly Appended[]> {
    return Promise.all(
      proposals.map((proposal) => {
        const partition = this.table.partitionOf(proposal);
        const lane = this.lanes[partition % COMMIT_QUEUES];
        if (lane === undefined) throw new RangeError(`Partition ${String(partition)} has no lane`);
        return lane.append(proposal, partition, options.awaited);
      }),
    );
  }

  async lag(): Promise<number> {
    const offsetsByPartition = [...(await this.table.offsetsByPartition()).values()];
    return offsetsByPartition.reduce((sum, { head, applied }) => sum + head - applied, 0);
  }

  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription {
    return {
      start: () => {
        for (const lane of this.lanes) lane.start(handler);
        return Promise.resolve();
      },
      stop: async () => {
        await Promise.all(this.lanes.map((lane) => lane.stop()));
      },
      status: () => this.worst(),
    };
  }

  private worst(): SubscriptionStatus {
    const all = this.lanes.map((lane) => lane.status());
    return all.find(({ state }) => state !== 'running') ?? { state: 'running' };
  }
}
