/**
 * A filter: one of its lists must hold, and a list holds when all its criteria do. An empty filter lets nothing through, an empty list
 * everything.
 */
export type SearchFilter = readonly (readonly SearchCriterion[])[];

/**
 * What is asked of the values of some fields: any value of any of them may satisfy it. `negated` turns the answer round, so that it is
 * true of entities without a value as well.
 */
export type SearchCriterion = FilterTest & {
  /** Mostly one; several when one name means different fields of different entity types. */
  readonly fields: readonly string[];
  readonly negated: boolean;
};

/** Tokens and keys are the output of the same functions that made the document's {@link FilterKeys}. */
export type FilterTest =
  /** There is a value. */
  | { readonly condition: 'exists' }
  /** A value has one of these tokens. */
  | { readonly condition: 'equal'; readonly anyOf: readonly string[] }
  /** The key of a value is one of these, has one in it, begins or ends with one; the last three of at most 250 characters. */
  | { readonly condition: KeyCondition; readonly anyOf: readonly string[] }
  /** The key of a value lies between the two, of at most 250 characters, of which one may be absent. */
  | { readonly condition: 'range'; readonly from?: RangeEnd; readonly to?: RangeEnd };

export type KeyCondition = 'equalKey' | 'contain' | 'startWith' | 'endWith';

export interface RangeEnd {
  readonly key: string;
  readonly isIncluded: boolean;
}

/** What filters and orders see of one field of one document. */
export interface FilterKeys {
  /** Stands for each value exactly as it is. */
  readonly tokens: readonly string[];
  /** Each value once in the form that is compared and ordered, by the bytes of its UTF-8. */
  readonly keys: readonly string[];
}

/** Orders hits by a field: by its lowest key, or descending by its highest. Entities without a value come last in both. */
export interface FieldOrder {
  readonly field: string;
  readonly isDescending: boolean;
}

/** A place between two hits of an ordered search: behind the one that has these keys, for each field of the order, and this urn. */
export interface PlaceInOrder {
  readonly keys: readonly (string | null)[];
  readonly urn: string;
}
