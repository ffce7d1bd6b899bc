import { UnavailableError, type PartitionSequences } from '@stratalog/model';
import type { BuildProgress } from '@stratalog/ports';
import type { QueryResultRow } from 'pg';
import type { Database } from '../database/database';

export type Kind = 'search' | 'graph';

const UNDEFINED_TABLE = '42P01';

/** Runs `work` on the tables of a generation. **Errors**: `UnavailableError` when one of them is gone. */
export async function onTables<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    if (cause?.code !== UNDEFINED_TABLE) throw error;
    throw new UnavailableError('The index is not there any more, and is being built anew', { cause: error });
  }
}

/** Keeps how far the building of a generation is. */
export async function noteProgress(
  database: Database,
  kind: Kind,
  indexVersion: number,
  { done, total }: BuildProgress,
): Promise<void> {
  await database.use((client) =>
    client.query(`update ${kind}_index_version set done = $2, total = $3 where index_version = $1`, [
      indexVersion,
      done,
      total,
    ]),
  );
}

/** Up to where a generation can find every change. */
export async function positionOf(
  database: Database,
  kind: Kind,
  indexVersion: number,
): Promise<PartitionSequences> {
  const rows = await database.read(async (client) => {
    const result = await client.query<{ partition: number; seq: number }>({
      name: `${kind}-position`,
      text: `select partition, seq from ${kind}_checkpoint where index_version = $1`,
      values: [indexVersion],
    });
    return result.rows;
  });
  return new Map(rows.map(({ partition, seq }) => [partition, seq]));
}

/** Removes a generation with its tables. */
export function dropIndexVersion(
  database: Database,
  kind: Kind,
  indexVersion: number,
  tables: readonly string[],
): Promise<void> {
  return database.transaction(async (client) => {
    await client.query(`delete from ${kind}_index_version where index_version = $1`, [indexVersion]);
    await client.query(`drop table if exists ${tables.join(', ')}`);
  });
}

/** The rows that a statement on the tables of a generation answers. **Errors**: `UnavailableError` when one of them is gone. */
export function selectFrom<Row extends QueryResultRow>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return onTables(database.use(async (client) => (await client.query<Row>(text, [...values])).rows));
}
