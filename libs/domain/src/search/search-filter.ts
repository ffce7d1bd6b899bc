import type { QueryNode } from './search-query';

/**
 * A filter: at least one of its lists must hold, and a list holds when all its criteria hold.
 * An empty filter matches no entity; an empty list matches every entity.
 */
export type SearchFilter = readonly (readonly SearchCriterion[])[];

/**
 * A test of the values of some fields; any value of any field may satisfy it.
 * `negated` inverts the result, so the criterion also matches entities without a value.
 */
export type SearchCriterion = FilterTest & {
  /** Usually one field; several when entity types have different fields under one name. */
  readonly fields: readonly string[];
  readonly negated: boolean;
};

/** A test of filter keys. The functions that produce a document's {@link FilterKeys} produce its tokens and keys. */
export type FilterTest =
  /** The field has a value. */
  | { readonly condition: 'exists' }
  /** A value has one of these tokens. */
  | { readonly condition: 'equal'; readonly anyOf: readonly string[] }
  /**
   * The key of a value equals, contains, starts or ends with one of these; the last three compare at most 250
   * characters.
   */
  | { readonly condition: KeyCondition; readonly anyOf: readonly string[] }
  /** The key of a value lies in the range, of which one end may be open; ends have at most 250 characters. */
  | { readonly condition: 'range'; readonly from?: RangeEnd; readonly to?: RangeEnd }
  /** The document matches the query; `fields` is empty. */
  | { readonly condition: 'query'; readonly query: QueryNode };

type KeyCondition = 'equalKey' | 'contain' | 'startWith' | 'endWith';

export interface RangeEnd {
  readonly key: string;
  readonly isIncluded: boolean;
}

/** The keys of one field of one document, for filters and orders. */
export interface FilterKeys {
  /** One token per distinct value, equal only for equal values. */
  readonly tokens: readonly string[];
  /** The distinct values in comparable form, ordered by their UTF-8 bytes. */
  readonly keys: readonly string[];
}

/**
 * Orders hits by a field: ascending by its lowest key, descending by its highest. Entities without a value come last
 * in both.
 */
export interface FieldOrder {
  readonly field: string;
  readonly isDescending: boolean;
}

/** A cursor of an ordered search: the next hit follows the one with these keys (one per order field) and this urn. */
export interface PlaceInOrder {
  readonly keys: readonly (string | null)[];
  readonly urn: string;
}
