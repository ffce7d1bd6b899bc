import { UnavailableError, type PartitionSequences } from '@stratalog/model';
import type { BuildProgress } from '@stratalog/ports';
import type { QueryResultRow } from 'pg';
import type { Database } from '../database/database';

export type Kind = 'search' | 'graph';

const UNDEFINED_TABLE = '42P01';

/**
 * Runs `work` on the tables of an index version.
 *
 * **Errors**: `UnavailableError` when one of the tables is missing.
 */
export async function onTables<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const { cause } = error as { readonly cause?: { readonly code?: unknown } };
    if (cause?.code !== UNDEFINED_TABLE) throw error;
    throw new UnavailableError('The index is not there any more, and is being built anew', { cause: error });
  }
}

/** Stores the progress of the build of an index version. */
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

/** Reads the checkpoint of an index version. */
export async function readCheckpoint(
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

/** Deletes an index version with its tables. */
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

/**
 * Reads rows from the tables of an index version.
 *
 * **Errors**: `UnavailableError` when one of the tables is missing.
 */
export function selectFrom<Row extends QueryResultRow>(
  database: Database,
  text: string,
  values: readonly unknown[] = [],
): Promise<readonly Row[]> {
  return onTables(database.use(async (client) => (await client.query<Row>(text, [...values])).rows));
}
