import { InvalidSettingError } from '@stratalog/model';
import pg from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { migrations } from '../migrations/migrations';

/** An arbitrary number that every process of this product shares. */
const MIGRATION_LOCK = 7_305_410_202;
const TABLE = 'schema_migration';

/**
 * Migrates the schema, one process at a time, on its own connections without a statement timeout.
 *
 * **Errors**: `InvalidSettingError` when a newer program, or one from before the first release, has migrated the schema; untranslated driver errors, among
 * them the lock timeout when another process migrates for longer than a minute.
 */
export async function migrate(url: string, connectTimeoutMs: number): Promise<void> {
  const source = new DataSource({
    type: 'postgres',
    driver: pg,
    url,
    applicationName: 'stratalog migrations',
    connectTimeoutMS: connectTimeoutMs,
    extra: { max: 2 },
    migrations: [...migrations],
    migrationsTableName: TABLE,
    migrationsTransactionMode: 'each',
    logging: false,
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.query(`set lock_timeout = '60s'`);
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    rejectUnknown(await readApplied(runner));
    await source.runMigrations();
  } finally {
    // Releasing ends the sessions and with them the lock.
    await runner.release();
    await source.destroy();
  }
}

async function readApplied(runner: QueryRunner): Promise<readonly string[]> {
  if (!(await runner.hasTable(TABLE))) return [];
  const rows = (await runner.query(`select name from ${TABLE}`)) as readonly { readonly name: string }[];
  return rows.map(({ name }) => name);
}

/** Rejects a schema that another program has made, before anything is changed in it. */
function rejectUnknown(applied: readonly string[]): void {
  const known = new Set(migrations.map((Migration) => new Migration().name));
  const unknown = applied.find((name) => !known.has(name));
  if (unknown === undefined) return;
  throw new InvalidSettingError(
    `The database was brought to ${unknown} by a newer program than this one, or by one from before the first release; start that one, or restore a backup`,
  );
}
