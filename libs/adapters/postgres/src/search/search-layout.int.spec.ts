import { describe, expect, it } from '@jest/globals';
import type { SearchRequest } from '@stratalog/model';
import { datasetUrn, indexVersionsOver, projectDocument } from '@stratalog/testkit';
import { Database } from '../database/database';
import { createScratchDatabase } from '../database/scratch-database';
import { PostgresSearchIndexVersionStore } from './search-index-version-store';

const IDENTITY = { storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' };
const EVERYTHING: SearchRequest = {
  entityTypes: ['dataset'],
  query: { kind: 'all' },
  start: 0,
  count: 10,
  facets: [{ fields: ['tags'] }],
  facetLimit: 5,
};

describe('an index of the previous layout', () => {
  it('filters and orders, and is not reused because its mapping differs', async () => {
    const scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const database = await Database.open({ url: scratch.url, poolSize: 4 });
    const indexes = indexVersionsOver(new PostgresSearchIndexVersionStore(database));
    const index = await indexes.create(IDENTITY);
    await index.write([projectDocument(datasetUrn('a'), 1, { name: ['a'] })], new Map());
    await indexes.activate(index);
    await database.use(async (client) => {
      await client.query(
        `alter table ${index.name} alter column urn set storage extended, alter column facets set storage extended,
                                   alter column names set storage extended`,
      );
      await client.query('update search_index_version set layout = 4');
    });
    const live = await indexes.live();
    const result = await live?.search({ ...EVERYTHING, filter: [[]], order: [] });
    expect(result?.hits.map(({ urn }) => urn)).toEqual([datasetUrn('a')]);
    expect(live?.identity.mapping).not.toBe(IDENTITY.mapping);
    expect((await indexes.create(IDENTITY)).name).not.toBe(index.name);
    await database.close();
    await scratch.drop();
  });
});
