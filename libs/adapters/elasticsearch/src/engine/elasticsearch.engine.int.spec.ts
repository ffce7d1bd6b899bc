import { afterAll, beforeAll, describe } from '@jest/globals';
import { searchIndexesContract } from '@stratalog/testkit';
import { openSearchEngine } from './open-search-engine';
import type { SearchEngine } from './search-engine';
import { ElasticsearchSearchIndexVersionStore } from '../search/search-index-version-store';
import { ENGINES, removeIndices, scratchPrefix } from './test-engines';

/** Runs the contract on each available server, in indices that are removed between the tests. */
describe.each(
  ENGINES.flatMap((engine) => [1, 3].map((shards) => ({ ...engine, shards, slices: 4 - shards }))),
)('$name with $shards shards, each of $slices slices', ({ url, shards, slices }) => {
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
    return { versions: new ElasticsearchSearchIndexVersionStore(engine, { shards, slices }), lose };
  });
});
