import type { FieldOrder, PlaceInOrder, SearchFilter } from './search-filter';

/**
 * A parsed query. The analysis that produced the documents' tokens produces its tokens. An absent `field` means every
 * field that is searched by default.
 */
export type QueryNode =
  /** Matches every document. */
  | { readonly kind: 'all' }
  /** Matches no document: the query has no term that can match. */
  | { readonly kind: 'none' }
  /** Matches any of the tokens at any position: a word, with its stem. */
  | { readonly kind: 'word'; readonly field?: string; readonly anyOf: readonly string[] }
  /** Matches the tokens at consecutive positions of one field value; the last may be a prefix. */
  | {
      readonly kind: 'phrase';
      readonly field?: string;
      readonly tokens: readonly string[];
      readonly prefix: boolean;
    }
  /** Matches the whole value of a keyword-like field. */
  | { readonly kind: 'exact'; readonly field: string; readonly token: string }
  /** Matches any value of the field. */
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'and'; readonly nodes: readonly QueryNode[] }
  | { readonly kind: 'or'; readonly nodes: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly node: QueryNode };

/** A request for one page of a search. */
export interface SearchRequest {
  readonly entityTypes: readonly string[];
  readonly query: QueryNode;
  /** Filter that hits must also satisfy; absent: none. */
  readonly filter?: SearchFilter;
  /** True: the search includes soft-deleted entities. */
  readonly includesSoftDeleted?: boolean;
  /** Orders by these fields and then by urn, instead of by score; an empty list orders by urn alone. */
  readonly order?: readonly FieldOrder[];
  /** Returns only hits after this cursor. `start` is then 0, and the total includes the hits before it. */
  readonly after?: PlaceInOrder;
  /** Offset of the first hit, from 0. */
  readonly start: number;
  readonly count: number;
  /** Fields whose values are counted over all matches. */
  readonly facets: readonly string[];
  /** Most values per facet, the most frequent first, then by value. */
  readonly facetLimit: number;
}

export interface SearchHit {
  readonly urn: string;
  readonly score: number;
  readonly values: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** The hit's key for each field of the requested order. */
  readonly keys: readonly (string | null)[];
}

export interface Facet {
  readonly field: string;
  readonly counts: readonly { readonly value: string; readonly count: number }[];
}

export interface SearchResult {
  /** Exact number of matches. */
  readonly total: number;
  /** Ordered by score and then by urn, unless the request has an order. */
  readonly hits: readonly SearchHit[];
  readonly facets: readonly Facet[];
}
