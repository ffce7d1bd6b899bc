import { UnavailableError, type PartitionSequences } from '@stratalog/domain';
import { ReplacedVersionError, type IndexIdentity, type IndexVersion } from '@stratalog/ports';
import type { QueryResult, QueryResultRow } from 'pg';
import type { Database } from '../database/database';

export type Kind = 'search' | 'graph';

/** PostgreSQL's codes for an undefined table, and for a column that tables of an earlier layout lack. */
const UNDEFINED: ReadonlySet<unknown> = new Set(['42P01', '42703']);

/** The members that an opened version of every kind of index shares: its identity, its checkpoint, its reads. */
export abstract class PostgresIndex {
  readonly name: string;
  readonly indexVersion: number;
  readonly identity: IndexIdentity;

  protected constructor(
    protected readonly database: Database,
    private readonly kind: Kind,
    { id, name, identity }: IndexVersion,
  ) {
    this.name = name;
    this.indexVersion = Number(id);
    this.identity = identity;
  }

  async position(): Promise<PartitionSequences> {
    const rows = await this.database.read(async (client) => {
      const result = await client.query<{ partition: number; seq: number }>({
        name: `${this.kind}-position`,
        text: `select partition, seq from ${this.kind}_checkpoint where index_version = $1`,
        values: [this.indexVersion],
      });
      return result.rows;
    });
    return new Map(rows.map(({ partition, seq }) => [partition, seq]));
  }

  /**
   * Reads rows from the tables of this version.
   *
   * **Errors**: `UnavailableError` when one of the tables is missing.
   */
  protected select<Row extends QueryResultRow>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<readonly Row[]> {
    return onTables(this.database.use(async (client) => (await client.query<Row>(text, [...values])).rows));
  }

  /** Reads the `total` of a statement that counts. */
  protected async selectTotal(text: string): Promise<number> {
    const [counted] = await this.select<{ total: number }>(text);
    return counted?.total ?? 0;
  }

  /** Reads the `urn` of each row of a statement. */
  protected async selectUrns(text: string, values: readonly unknown[]): Promise<readonly string[]> {
    return (await this.select<{ urn: string }>(text, values)).map(({ urn }) => urn);
  }
}

/**
 * Returns the statement that moves the checkpoint of an index version, which only moves forward. `parameters`: the version, the partitions
 * and the sequence numbers.
 *
 * The lock of the version's row keeps its activation or retirement out until the commit. A retired version does not match, also when it is
 * retired while the statement waits for the lock.
 */
export function moveCheckpointText(
  kind: Kind,
  [version, partitions, seqs]: readonly [string, string, string],
): string {
  return `insert into ${kind}_checkpoint as p (index_version, partition, seq)
          select v.index_version, i.partition, i.seq
            from (select index_version from ${kind}_index_version
                   where index_version = ${version}::integer and retired_ms is null and cardinality(${partitions}::integer[]) > 0 for share) v
           cross join unnest(${partitions}::integer[], ${seqs}::bigint[]) i(partition, seq)
           order by i.partition
          on conflict (index_version, partition) do update set seq = greatest(p.seq, excluded.seq)`;
}

/** **Errors**: `ReplacedVersionError` when a write should have moved a checkpoint, and did not. */
export function requireMoved(
  position: PartitionSequences,
  moved: Pick<QueryResult, 'rowCount'> | undefined,
): void {
  if (position.size > 0 && moved?.rowCount !== position.size) throw new ReplacedVersionError();
}

/**
 * Runs `work` on the tables of an index version.
 *
 * **Errors**: `UnavailableError` when one of the tables is missing, or has not yet what `work` reads.
 */
export async function onTables<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    if (!UNDEFINED.has(cause?.code)) throw error;
    throw new UnavailableError('The index is not there any more, and is being rebuilt', { cause: error });
  }
}
