import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrations } from '../migrations/migrations';
import { APPLIED_TABLE, checkAppliedMigrations } from './check-applied-migrations';

/** An arbitrary number that every process of this product shares. */
const MIGRATION_LOCK = 7_305_410_202;

/**
 * Migrates the schema, one process at a time, on its own connections without a statement timeout.
 *
 * **Errors**: `InvalidSettingError` when other migrations than those of this program have run in the database; untranslated driver errors, among
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
    migrationsTableName: APPLIED_TABLE,
    migrationsTransactionMode: 'each',
    logging: false,
  });
  await source.initialize();
  const runner = source.createQueryRunner();
  try {
    await runner.query(`set lock_timeout = '60s'`);
    await runner.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await checkAppliedMigrations(runner);
    await source.runMigrations();
  } finally {
    // Releasing ends the sessions and with them the lock.
    await runner.release();
    await source.destroy();
  }
}
