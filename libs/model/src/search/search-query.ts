import type { FieldOrder, PlaceInOrder, SearchFilter } from './search-filter';

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
  /** What must hold besides; absent means nothing. */
  readonly filter?: SearchFilter;
  /** True: soft-deleted entities are found like others. */
  readonly includesSoftDeleted?: boolean;
  /** By these fields and then by urn, instead of by score; by urn alone when there are none. */
  readonly order?: readonly FieldOrder[];
  /** Only hits behind this place of the order; `start` is 0 then, and the total counts those before as well. */
  readonly after?: PlaceInOrder;
  /** Offset of the first hit, from 0. */
  readonly start: number;
  readonly count: number;
  /** Fields whose values are counted over all matches. */
  readonly facets: readonly string[];
  /** At most this many values per facet, the most frequent first, then by value. */
  readonly facetLimit: number;
}

/** True for what only the filter keys of documents can answer, which indices of older layouts do not hold. */
export function needsFilterKeys({ filter, order, includesSoftDeleted }: SearchRequest): boolean {
  return filter !== undefined || order !== undefined || includesSoftDeleted === true;
}

export interface SearchHit {
  readonly urn: string;
  readonly score: number;
  readonly values: Readonly<Record<string, readonly (string | number | boolean)[]>>;
  /** Where it stands in the order that was asked for: the key of each of its fields. */
  readonly keys: readonly (string | null)[];
}

export interface Facet {
  readonly field: string;
  readonly counts: readonly { readonly value: string; readonly count: number }[];
}

export interface SearchResult {
  /** Exact number of matches. */
  readonly total: number;
  /** Best first, then by urn, unless an order was asked for. */
  readonly hits: readonly SearchHit[];
  readonly facets: readonly Facet[];
}
