import type { PartitionSequences, SearchDocument, SearchRequest, SearchResult } from '@stratalog/model';
import type { DerivedIndex, IndexVersions } from './derived-index';

/** The search indices of a store. */
export type SearchIndexes = IndexVersions<SearchIndex>;

/** Search documents, one for each entity. */
export interface SearchIndex extends DerivedIndex<SearchDocument> {
  /** Answers a query together with the position that the answer reflects. */
  search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionSequences }>;
}
