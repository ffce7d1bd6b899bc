import type { ProposalEntry, WriteOutcome } from '@stratalog/model';
import type {
  AppendOptions,
  Appended,
  BatchHandler,
  Consumption,
  ConsumptionStatus,
  ProposalLog,
} from '@stratalog/ports';
import type { Database } from './database';
import { LogLane } from './log-lane';
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
const LANES = 2;

/** The embedded proposal log: a table, and lanes that fill and drain it. */
export class PostgresProposalLog implements ProposalLog {
  private readonly table: LogTable;
  private readonly lanes: readonly LogLane[];

  constructor(database: Database, options: ProposalLogOptions) {
    this.table = new LogTable(database, options.partitions);
    const partitions = Array.from({ length: options.partitions }, (_, partition) => partition);
    this.lanes = Array.from({ length: Math.min(LANES, options.partitions) }, (_, lane) => {
      const own = new Set(partitions.filter((partition) => partition % LANES === lane));
      return new LogLane(this.table, own, options.maxRecords);
    });
  }

  append(proposals: readonly ProposalEntry[], options: AppendOptions): Promise<readonly Appended[]> {
    return Promise.all(
      proposals.map((proposal) => {
        const partition = this.table.partitionOf(proposal);
        const lane = this.lanes[partition % LANES];
        if (lane === undefined) throw new RangeError(`Partition ${String(partition)} has no lane`);
        return lane.append(proposal, partition, options.awaited);
      }),
    );
  }

  async lag(): Promise<number> {
    const extents = [...(await this.table.extents()).values()];
    return extents.reduce((sum, { head, applied }) => sum + head - applied, 0);
  }

  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Consumption {
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

  private worst(): ConsumptionStatus {
    const all = this.lanes.map((lane) => lane.status());
    return all.find(({ state }) => state !== 'running') ?? { state: 'running' };
  }
}
