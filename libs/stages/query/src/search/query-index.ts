import type { IndexedAnswer } from '@stratalog/indexing';
import {
  UnavailableError,
  distance,
  type PartitionSequences,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/domain';
import type { JsonOutput } from '@stratalog/json';
import type { AspectStore, SearchIndex, SearchIndexVersions } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { limitFacetFilters, rejectCostly, rejectManyValues, type Synonyms } from '@stratalog/search-text';
import type { DisplayNames } from '../facets/display-names';
import type { Vocabularies } from '../vocabulary/vocabularies';

export interface SearchDeps {
  readonly store: AspectStore;
  readonly searchIndexes: SearchIndexVersions;
  readonly registry: EntityRegistry;
  readonly vocabularies: Vocabularies;
  readonly displayNames: DisplayNames;
  readonly synonyms: Synonyms;
}

/** The live index's result for a request, and its lag behind the store at the start of the search. */
export interface IndexedResult {
  readonly index: SearchIndex;
  readonly result: SearchResult;
  readonly position: PartitionSequences;
  readonly lag: number;
}

/**
 * Queries the live index.
 *
 * **Errors**: those of `rejectCostly` and `rejectManyValues`; `UnavailableError` while the first index is being built.
 */
export async function queryIndex(
  { searchIndexes, store }: SearchDeps,
  request: SearchRequest,
): Promise<IndexedResult> {
  rejectCostly(request);
  rejectManyValues(request);
  const index = await searchIndexes.live();
  if (index === undefined) throw new UnavailableError('The search index is being built');
  const [result, sequences] = await Promise.all([
    index.search({ ...request, facets: limitFacetFilters(request) }),
    store.readPartitionSequences(),
  ]);
  return { index, result, position: result.position, lag: distance(result.position, sequences) };
}

export function toAnswer({ position, lag }: IndexedResult, body: JsonOutput): IndexedAnswer {
  return { body, position, lag };
}
