import type { PartitionSequences, SearchDocument, SearchRequest, SearchResult } from '@stratalog/model';
import type { DerivedIndex, IndexVersions } from './derived-index';

/** The versions of the search index of a store. */
export type SearchIndexVersions = IndexVersions<SearchIndex>;

/** Holds one search document per entity. */
export interface SearchIndex extends DerivedIndex<SearchDocument> {
  /** Answers a search query, with the checkpoint that the answer reflects. */
  search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionSequences }>;
}
