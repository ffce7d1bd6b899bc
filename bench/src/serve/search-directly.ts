import { parseQuery } from '@stratalog/search-text';
import type { SearchRequest } from '@stratalog/domain';
import type { CatalogDeps } from '@stratalog/runtime';

export interface DirectSearch {
  readonly ms: number;
  readonly total: number;
}

/** The request of the query stage, so that both sides do the same work in the index. */
const REQUEST: Omit<SearchRequest, 'query'> = {
  entityTypes: ['dataset'],
  start: 0,
  count: 10,
  facets: [{ fields: ['platform'] }],
  facetLimit: 20,
};

/**
 * Searches the live index itself, one query after another: no HTTP, no parsing of the query, no rendering of
 * an answer.
 */
export async function searchDirectly(
  { searchIndexes, registry }: CatalogDeps,
  inputs: readonly string[],
): Promise<readonly DirectSearch[]> {
  const index = await searchIndexes.live();
  if (index === undefined) throw new Error('There is no live search index');
  const fields = registry.entityType('dataset')?.searchFields ?? new Map();
  const queries = inputs.map((input) => parseQuery(input, fields));
  const searches: DirectSearch[] = [];
  for (const query of queries) {
    const start = performance.now();
    const { total } = await index.search({ ...REQUEST, query });
    searches.push({ ms: performance.now() - start, total });
  }
  return searches;
}
