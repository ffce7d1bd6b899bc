import { describe, expect, it } from '@jest/globals';
import { UnavailableError, type SearchFilter, type SearchRequest } from '@stratalog/domain';
import { toFilterToken } from '@stratalog/search-text';
import { datasetUrn, indexVersionsOver, projectDocument } from '@stratalog/testkit';
import { Database } from '../database/database';
import { createScratchDatabase } from '../database/scratch-database';
import { PostgresSearchIndexVersionStore } from './search-index-version-store';
import { searchTablesOf } from './search-tables';

const IDENTITY = { storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' };
const EVERYTHING: SearchRequest = {
  entityTypes: ['dataset'],
  query: { kind: 'all' },
  start: 0,
  count: 10,
  facets: [{ fields: ['tags'] }],
  facetLimit: 5,
};

const CONTAINS: SearchFilter = [[{ fields: ['name'], negated: false, condition: 'contain', anyOf: ['a'] }]];
const EQUALS: SearchFilter = [
  [{ fields: ['name'], negated: false, condition: 'equal', anyOf: [toFilterToken('a')] }],
];

describe('an index of the previous layout', () => {
  it('answers plain searches, rejects others for the moment, and is not reused because its mapping differs', async () => {
    const scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const database = await Database.open({ url: scratch.url, poolSize: 4 });
    const indexes = indexVersionsOver(new PostgresSearchIndexVersionStore(database));
    const index = await indexes.create(IDENTITY);
    await index.write([projectDocument(datasetUrn('a'), 1, { name: ['a'] })], new Map());
    await indexes.activate(index);
    const { documents, keys, facetValues } = searchTablesOf(index.indexVersion);
    await database.use(async (client) => {
      await client.query(`drop table ${keys}, ${facetValues}`);
      await client.query(`alter table ${documents} drop column id`);
      await client.query('update search_index_version set layout = 7');
    });
    const live = await indexes.live();
    for (const asked of [{}, { filter: [[]], order: [] }, { filter: EQUALS }]) {
      const result = await live?.search({ ...EVERYTHING, ...asked });
      expect(result?.hits.map(({ urn }) => urn)).toEqual([datasetUrn('a')]);
    }
    for (const asked of [{ filter: CONTAINS }, { order: [{ field: 'name', isDescending: false }] }]) {
      await expect(live?.search({ ...EVERYTHING, ...asked })).rejects.toThrow(UnavailableError);
    }
    expect(live?.identity.mapping).not.toBe(IDENTITY.mapping);
    expect((await indexes.create(IDENTITY)).name).not.toBe(index.name);
    await database.close();
    await scratch.drop();
  });
});
