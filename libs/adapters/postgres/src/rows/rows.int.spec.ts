import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { migrate } from '../database/migrate';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { PostgresNames, ROWS } from './rows';

describe('The rows that TypeORM maps', () => {
  let scratch: ScratchDatabase;
  let source: DataSource;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    await migrate(scratch.url, 10_000);
    const namingStrategy = new PostgresNames();
    source = new DataSource({
      type: 'postgres',
      driver: pg,
      url: scratch.url,
      entities: ROWS,
      namingStrategy,
    });
    await source.initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await scratch.drop();
  });

  const changes = async (): Promise<readonly string[]> => {
    const { upQueries } = await source.driver.createSchemaBuilder().log();
    return upQueries.map(({ query }) => query);
  };

  it('match the migrated tables', async () => {
    expect(await changes()).toEqual([]);
  });

  it('are compared with their columns, constraints and indexes', async () => {
    const drifts = [
      'alter table app_instance add column note text',
      'alter table store_model alter column shape drop not null',
      'alter table schema_subject drop constraint schema_subject_schema_id_fkey',
      'drop index dead_letter_waiting',
    ];
    for (const drift of drifts) await source.query(drift);
    expect(await changes()).toHaveLength(drifts.length);
  });
});
