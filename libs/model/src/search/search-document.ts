import type { FilterKeys } from './search-filter';

/** A value of a document's field as the model's types tell it. */
export type FieldValue = string | number | bigint | boolean;

/** Tokens of one field of one document, in order. */
export interface FieldTokens {
  readonly field: string;
  readonly queryByDefault: boolean;
  readonly boost: number;
  /** Words with their place in the field; a place may hold several tokens (the word and its stem). */
  readonly tokens: readonly PlacedToken[];
  /** Tokens that stand for a whole value: `field:value` on keyword-like fields matches these. */
  readonly exact: readonly string[];
}

export interface PlacedToken {
  readonly token: string;
  readonly position: number;
}

/**
 * What the search index holds of one urn: a pure function of the entity's stored aspects.
 */
export interface SearchDocument {
  readonly urn: string;
  readonly entityType: string;
  /** The urn's `seq`: a document never goes back behind it. */
  readonly seq: number;
  /** Soft-deleted: hidden from search unless asked for. */
  readonly removed: boolean;
  /** Deleted as a whole: keeps the place of the urn, and is never found. */
  readonly deleted: boolean;
  /** Factor of the score of every match, above 0; 1 unless the model's annotations weigh the entity's values. */
  readonly weight: number;
  readonly values: Readonly<Record<string, readonly FieldValue[]>>;
  /** Values of the fields that are offered as filters, for counting. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  readonly text: readonly FieldTokens[];
  /** By field, what filters and orders compare. A field that has a value has an entry. */
  readonly filters: Readonly<Record<string, FilterKeys>>;
}
