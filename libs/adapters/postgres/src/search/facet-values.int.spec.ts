import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { indexVersionsOver } from '@stratalog/testkit';
import { Database } from '../database/database';
import { createScratchDatabase, type ScratchDatabase } from '../database/scratch-database';
import { FacetValues, toFacetKey } from './facet-values';
import { PostgresSearchIndexVersionStore } from './search-index-version-store';
import { searchTablesOf } from './search-tables';

describe('FacetValues', () => {
  let scratch: ScratchDatabase;
  let database: Database;
  let table: string;

  beforeAll(async () => {
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 8 });
    const versions = indexVersionsOver(new PostgresSearchIndexVersionStore(database));
    const index = await versions.create({ storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' });
    table = searchTablesOf(index.indexVersion).facetValues;
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  it('gives each value one id, whichever process stores it first', async () => {
    const documents = Array.from({ length: 50 }, (_, at) => ({
      facets: { tags: [`t${String(at)}`, `t${String((at * 7) % 50)}`], owners: [`t${String(at)}`] },
    }));
    const writers = [documents, [...documents].reverse(), documents.slice(20), documents].map((own) =>
      new FacetValues(database, table).store(own),
    );
    const [first, ...others] = await Promise.all(writers);
    expect(new Set(first?.values()).size).toBe(100);
    for (const other of others) {
      for (const [key, id] of other) expect(first?.get(key)).toBe(id);
    }
  });

  it('reads what another process stored, once', async () => {
    const ids = await new FacetValues(database, table).store([{ facets: { tags: ['read'] } }]);
    const values = new FacetValues(database, table);
    const asked = [...ids.values()];
    expect([...(await values.read(asked)).values()]).toEqual([{ field: 'tags', value: 'read' }]);
    await database.use((client) => client.query(`update ${table} set value = 'other' where value = 'read'`));
    expect([...(await values.read(asked)).values()]).toEqual([{ field: 'tags', value: 'read' }]);
  });

  it('stores a value that the server holds in another form, and one longer than an entry of an index', async () => {
    const own = ['a\0b', 'half \ud83d', 'x'.repeat(20_000)];
    const values = new FacetValues(database, table);
    const ids = await values.store([{ facets: { tags: own } }]);
    expect(own.map((value) => ids.has(toFacetKey('tags', value)))).toEqual([true, true, true]);
    expect(await new FacetValues(database, table).store([{ facets: { tags: own } }])).toEqual(ids);
  });
});
