import type { PartitionOffsets, SearchDocument, SearchRequest, SearchResult } from '@stratalog/model';

/**
 * The search indices of a store: one is live and answers; another may be built beside it and take its place when it has
 * caught up, so that a rebuild never shows an empty or half index.
 */
export interface SearchIndexes {
  /** The index that answers, if any was ever promoted. */
  live(): Promise<SearchIndex | undefined>;
  /** A new empty index that does not answer yet. An unfinished earlier one with the same identity is continued. */
  create(identity: IndexIdentity): Promise<SearchIndex>;
  /** Makes `index` the live one. The former stays for the searches that have begun on it, until it is swept. */
  promote(index: SearchIndex): Promise<void>;
  /** Drops the indices that another has replaced, once no search can be on them any more. */
  sweep(): Promise<void>;
}

/** What an index was made from: another identity means that its documents or positions may differ. */
export interface IndexIdentity {
  readonly storeId: string;
  readonly epoch: number;
  /** Fingerprint of everything that turns an entity into a document: analysis and search fields. */
  readonly mapping: string;
}

export interface SearchIndex {
  readonly name: string;
  readonly identity: IndexIdentity;

  /** Up to where every change of the store can be found. */
  position(): Promise<PartitionOffsets>;

  /**
   * Writes documents and, with them, moves the position. When it resolves the documents are searchable.
   *
   * **Order and repeats**: a document whose `seq` is below the stored one is dropped (a late message); an equal one is
   * written again (same state, same document). The position never moves back.
   *
   * **Errors**: `UnavailableError`; then the position has not moved.
   */
  write(documents: readonly SearchDocument[], position: PartitionOffsets): Promise<void>;

  /** Answers a query together with the position that the answer reflects. */
  search(request: SearchRequest): Promise<SearchResult & { readonly position: PartitionOffsets }>;

  /** What is stored, by urn in byte order: for telling whether two indices of one technology hold the same. */
  fingerprintsAfter(after: string | undefined, limit: number): Promise<readonly DocumentFingerprint[]>;

  /** Removes the index and all that is in it. */
  drop(): Promise<void>;
}

export interface DocumentFingerprint {
  readonly urn: string;
  readonly seq: number;
  /** Hash of everything that the index stores for the urn. */
  readonly fingerprint: string;
}
