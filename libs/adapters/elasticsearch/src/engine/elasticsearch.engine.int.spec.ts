import { afterAll, beforeAll, describe } from '@jest/globals';
import { searchIndexContract, searchIndexesContract } from '@stratalog/testkit';
import { openSearchEngine } from './open-search-engine';
import type { SearchEngine } from './search-engine';
import { ElasticsearchSearchIndexVersionStore } from '../search/search-index-version-store';
import { ENGINES, removeIndices, scratchPrefix } from './test-engines';

/** The store of versions knows nothing of shards: one division of each engine runs its contract too. */
const DIVISIONS = ENGINES.flatMap(({ name, url }) => [
  {
    ...(name === 'OpenSearch'
      ? { name: 'OpenSearch with one shard of three slices', division: { slices: 3 } }
      : { name: `${name} with one shard`, division: {} }),
    url,
    contract: searchIndexesContract,
  },
  { name: `${name} with three shards`, url, division: { shards: 3 }, contract: searchIndexContract },
]);

/** Runs the contract on each available server, in indices that are removed between the tests. */
describe.each(DIVISIONS)('$name', ({ url, division, contract }) => {
  const indexPrefix = scratchPrefix();
  let engine: SearchEngine;

  beforeAll(async () => {
    engine = await openSearchEngine({ url, indexPrefix });
  });
  afterAll(async () => {
    await removeIndices(engine);
    await engine.close();
  });

  contract(async () => {
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
