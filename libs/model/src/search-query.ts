/**
 * A parsed query. Tokens are the output of the same analysis that made the documents' tokens. `field` absent means every
 * field that is queried by default.
 */
export type QueryNode =
  /** Every document. */
  | { readonly kind: 'all' }
  /** No document: what is left when a query holds nothing that could match. */
  | { readonly kind: 'none' }
  /** Any of the tokens, at any place: a word, with its stem. */
  | { readonly kind: 'word'; readonly field?: string; readonly anyOf: readonly string[] }
  /** The tokens at consecutive places of one field value; the last may be a prefix. */
  | {
      readonly kind: 'phrase';
      readonly field?: string;
      readonly tokens: readonly string[];
      readonly prefix: boolean;
    }
  /** The whole value of a keyword-like field. */
  | { readonly kind: 'exact'; readonly field: string; readonly token: string }
  /** The field has any value. */
  | { readonly kind: 'exists'; readonly field: string }
  | { readonly kind: 'and'; readonly nodes: readonly QueryNode[] }
  | { readonly kind: 'or'; readonly nodes: readonly QueryNode[] }
  | { readonly kind: 'not'; readonly node: QueryNode };

/** A page of a search. */
export interface SearchRequest {
  readonly entityTypes: readonly string[];
  readonly query: QueryNode;
  /** Offset of the first hit, from 0. */
  readonly start: number;
  readonly count: number;
  /** Fields whose values are counted over all matches. */
  readonly facets: readonly string[];
  /** At most this many values per facet, the most frequent first, then by value. */
  readonly facetLimit: number;
}

export interface SearchHit {
  readonly urn: string;
  readonly score: number;
  readonly values: Readonly<Record<string, readonly (string | number | boolean)[]>>;
}

export interface Facet {
  readonly field: string;
  readonly counts: readonly { readonly value: string; readonly count: number }[];
}

export interface SearchResult {
  /** Exact number of matches. */
  readonly total: number;
  /** Best first, then by urn. */
  readonly hits: readonly SearchHit[];
  readonly facets: readonly Facet[];
}
