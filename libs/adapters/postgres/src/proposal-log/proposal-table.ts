import type { ProposalEntry } from '@stratalog/domain';
import { parseJson, stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import type {
  Batch,
  LoggedPosition,
  LogRange,
  LogRecord,
  PartitionProgress,
  ProposalTable,
  UnloggedProposal,
} from '@stratalog/ports';
import type { Database, Statement } from '../database/database';

/** A locked row of `log_partition`. */
export interface LockedLog extends PartitionProgress {
  readonly partition: number;
  readonly log: string;
  readonly stopReason: string | null;
  readonly ahead: readonly (number | string)[];
}

/** Locks the log partitions of a batch in ascending order, so that two writers cannot deadlock. */
export const LOCK_LOG: Statement = {
  name: 'lock-log',
  text: `select partition, end_offset as "endOffset", committed_offset as "committedOffset", topic_id as log,
                stop_reason as "stopReason", ahead
           from log_partition where partition = any($1::integer[]) order by partition for update`,
};

const INSERT: Statement = {
  name: 'insert-log',
  text: `with input as materialized (
           select * from unnest($1::integer[], $2::bigint[], $3::text[]) i(partition, log_offset, proposal)
         ), rows as (
           insert into proposal_log (partition, log_offset, proposal) select * from input
         )
         update log_partition l set end_offset = m.end_offset
           from (select partition, max(log_offset) as end_offset from input group by partition) m
          where l.partition = m.partition`,
};

/** Maximum bytes per read; the next read returns the rest. */
const MAX_READ_BYTES = 32 * 1024 * 1024;

/** The size limit cuts off a tail of the partitions in the order of the arrays. */
const READ: Statement = {
  name: 'read-log',
  text: `select partition, log_offset, proposal
           from (select p.*, r.turn, sum(octet_length(p.proposal)) over (order by r.turn, p.log_offset)
                                     - octet_length(p.proposal) as before
                   from unnest($1::integer[], $2::bigint[], $3::integer[]) with ordinality
                          r(partition, committed_offset, max_rows, turn)
                  cross join lateral (select * from proposal_log l
                                       where l.partition = r.partition and l.log_offset > r.committed_offset
                                       order by l.log_offset limit r.max_rows) p) sized
          where before < $4::bigint
          order by turn, log_offset`,
};

export class PostgresProposalTable implements ProposalTable {
  constructor(
    private readonly database: Database,
    readonly partitions: number,
  ) {}

  requireRoom(): void {
    this.database.requireRoom();
  }

  async readOffsets(): Promise<Map<number, PartitionProgress>> {
    return this.database.use(async (client) => {
      const { rows } = await client.query<{ partition: number } & PartitionProgress>(
        'select partition, end_offset as "endOffset", committed_offset as "committedOffset" from log_partition',
      );
      return new Map(
        rows.map(({ partition, endOffset, committedOffset }) => [partition, { endOffset, committedOffset }]),
      );
    });
  }

  /** Assigns offsets to proposals and stores them, under the lock of their partitions. */
  async insert(unlogged: readonly UnloggedProposal[]): Promise<readonly LoggedPosition[]> {
    const partitions = unlogged.map(({ partition }) => partition);
    // Before the transaction: large proposals take long, and the partitions are locked within it.
    const texts = unlogged.map(({ proposal }) => encodeProposal(proposal));
    return this.database.transaction(async (client) => {
      const { rows } = await client.query<LockedLog>({
        ...LOCK_LOG,
        values: [[...new Set(partitions)]],
      });
      const endOffsets = new Map(rows.map(({ partition, endOffset }) => [partition, endOffset]));
      const logs = new Map(rows.map(({ partition, log }) => [partition, log]));
      const positions = partitions.map((partition) => {
        const offset = (endOffsets.get(partition) ?? 0) + 1;
        endOffsets.set(partition, offset);
        return { log: logs.get(partition) ?? '', partition, offset };
      });
      await client.query({
        ...INSERT,
        values: [partitions, positions.map(({ offset }) => offset), texts],
      });
      return positions;
    });
  }

  async read(
    offsetsByPartition: ReadonlyMap<number, PartitionProgress>,
    maxRowsOf: (partition: number) => number,
  ): Promise<Batch<ProposalEntry>> {
    const behind = [...offsetsByPartition].filter(
      ([, { endOffset, committedOffset }]) => endOffset > committedOffset,
    );
    const rows = await this.database.use(async (client) => {
      const result = await client.query<{ partition: number; log_offset: number; proposal: string }>({
        ...READ,
        values: [
          behind.map(([partition]) => partition),
          behind.map(([, { committedOffset }]) => committedOffset),
          behind.map(([partition]) => maxRowsOf(partition)),
          MAX_READ_BYTES,
        ],
      });
      return result.rows;
    });
    const ends = new Map(rows.map((row) => [row.partition, row.log_offset]));
    const ranges: LogRange[] = [...ends].map(([partition, to]) => ({
      partition,
      from: offsetsByPartition.get(partition)?.committedOffset ?? 0,
      to,
    }));
    return { records: rows.map(toRecord), ranges };
  }
}

function toRecord(row: {
  partition: number;
  log_offset: number;
  proposal: string;
}): LogRecord<ProposalEntry> {
  return {
    partition: row.partition,
    offset: row.log_offset,
    content: { kind: 'decoded', value: decodeProposal(row.proposal) },
  };
}

/** Encodes an entry for the log table as JSON text that holds 64-bit integers exactly. */
export function encodeProposal(proposal: ProposalEntry): string {
  return stringifyJson(proposal as unknown as JsonOutputObject);
}

/** Decodes the text of {@link encodeProposal}; the table has no other writer. */
export function decodeProposal(text: string): ProposalEntry {
  return parseJson(text) as JsonObject as unknown as ProposalEntry;
}
