import type {
  PartitionSequences,
  SearchDocument,
  SearchHit,
  SearchRequest,
  SearchResult,
} from '@stratalog/domain';
import type { DerivedIndex, IndexVersions } from './derived-index';

/** The versions of the search index of a store. */
export type SearchIndexVersions = IndexVersions<SearchIndex>;

/** Holds one search document per entity. */
export interface SearchIndex extends DerivedIndex<SearchDocument> {
  /** Answers a search query, with the checkpoint that the answer reflects. */
  search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionSequences }>;
  /**
   * Reads words of the searched fields, at most `limit`. Words that only soft-deleted entities have may be among them.
   */
  readWords(limit: number): Promise<readonly string[]>;
  /** Reads the stored values of entities, by urn. Hard-deleted and unknown entities are left out. */
  readValues(urns: readonly string[]): Promise<ReadonlyMap<string, SearchHit['values']>>;
}
