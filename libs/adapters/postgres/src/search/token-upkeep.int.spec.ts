import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { indexVersionsOver } from '@stratalog/testkit';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { PostgresSearchIndexVersionStore } from './search-index-version-store';
import { TokenUpkeep } from './token-upkeep';

describe('TokenUpkeep', () => {
  let scratch: ScratchDatabase;
  let database: Database;
  let table: string;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 4 });
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });
  beforeEach(async () => {
    const indexes = indexVersionsOver(new PostgresSearchIndexVersionStore(database));
    table = (await indexes.create({ storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' })).name;
    await database.use((client) => client.query(`delete from ${table}`));
    await emptyPendingList();
    await writeRows(40);
  });

  /** Inserts without the adapter, so that only the tested upkeep moves the tokens. */
  const writeRows = (count: number): Promise<unknown> =>
    database.use((client) =>
      client.query(
        `insert into ${table} (urn, entity_type, seq, removed, deleted, weight, facets, folders, keys, names, body, tokens)
         select 'urn:' || n, 'dataset', 1, false, false, 1, '{}', '{}', '{}', '', '{}', to_tsvector('simple', 'word' || n || ' shared')
           from generate_series(1, $1::integer) n`,
        [count],
      ),
    );

  /** Empties the pending list and returns its former number of pages. */
  const emptyPendingList = async (): Promise<number> => {
    const { rows } = await database.use((client) =>
      client.query<{ pages: number }>('select gin_clean_pending_list($1::regclass) as pages', [
        `${table}_tokens`,
      ]),
    );
    return rows[0]?.pages ?? Number.NaN;
  };

  it('is needed: written tokens stay in the pending list', async () => {
    expect(await emptyPendingList()).toBeGreaterThan(0);
  });

  it('moves tokens once enough documents are pending', async () => {
    const upkeep = new TokenUpkeep(database, `${table}_tokens`);
    await upkeep.wrote(500);
    await upkeep.settled();
    expect(await emptyPendingList()).toBe(0);
  });

  it('leaves a few documents pending', async () => {
    const upkeep = new TokenUpkeep(database, `${table}_tokens`);
    await upkeep.wrote(40);
    await upkeep.settled();
    expect(await emptyPendingList()).toBeGreaterThan(0);
  });

  it('does not fail the write when moving fails', async () => {
    const upkeep = new TokenUpkeep(database, 'no_such_index');
    await upkeep.wrote(5_000);
    await upkeep.settled();
    expect(await emptyPendingList()).toBeGreaterThan(0);
  });
});
