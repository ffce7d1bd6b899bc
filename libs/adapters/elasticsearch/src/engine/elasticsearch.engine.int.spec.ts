import { afterAll, beforeAll, describe } from '@jest/globals';
import { searchIndexesContract } from '@stratalog/testkit';
import { openSearchEngine } from './open-search-engine';
import type { SearchEngine } from './search-engine';
import { ElasticsearchSearchIndexVersionStore } from '../search/search-index-version-store';
import { ENGINES, removeIndices, scratchPrefix } from './test-engines';

const DIVISIONS = ENGINES.flatMap(({ name, url }) => [
  name === 'OpenSearch'
    ? { name: 'OpenSearch with one shard of three slices', url, division: { slices: 3 } }
    : { name: `${name} with one shard`, url, division: {} },
  { name: `${name} with three shards`, url, division: { shards: 3 } },
]);

/** Runs the contract on each available server, in indices that are removed between the tests. */
describe.each(DIVISIONS)('$name', ({ url, division }) => {
  const indexPrefix = scratchPrefix();
  let engine: SearchEngine;

  beforeAll(async () => {
    engine = await openSearchEngine({ url, indexPrefix });
  });
  afterAll(async () => {
    await removeIndices(engine);
    await engine.close();
  });

  searchIndexesContract(async () => {
    await removeIndices(engine);
    await (await openSearchEngine({ url, indexPrefix })).close();
    const lose = async ({ name }: { readonly name: string }): Promise<void> => {
      await engine.client.indices.delete({
        index: Object.keys(await engine.client.indices.get({ index: name })),
      });
    };
    return { versions: new ElasticsearchSearchIndexVersionStore(engine, division), lose };
  });
});
