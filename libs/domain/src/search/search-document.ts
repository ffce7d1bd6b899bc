import type { FilterKeys } from './search-filter';

/** A value of a document field, in the model's type. */
export type FieldValue = string | number | bigint | boolean;

/** Tokens of one field of one document, in order. */
export interface FieldTokens {
  readonly field: string;
  readonly queryByDefault: boolean;
  readonly boost: number;
  /** Words with their position in the field. Several tokens may share a position (a word and its stem). */
  readonly tokens: readonly PlacedToken[];
  /** Tokens of whole values. `field:value` on keyword-like fields matches them. */
  readonly exact: readonly string[];
  /** The folded whole values of a field for autocompletion; empty for other fields, and for urns, which are no names. */
  readonly completions: readonly string[];
}

export interface PlacedToken {
  readonly token: string;
  readonly position: number;
}

/** The document of one urn in the search index: a pure function of the entity's stored aspects. */
export interface SearchDocument {
  readonly urn: string;
  readonly entityType: string;
  /**
   * The version of the document: how many changes the state of the store includes that it was projected from. An index never replaces a document
   * by one with a lower `seq`.
   */
  readonly seq: number;
  /** Soft-deleted: searches exclude the entity unless the query includes soft-deleted ones. */
  readonly removed: boolean;
  /** Hard-deleted: the document keeps its `seq`, and no search finds it. */
  readonly deleted: boolean;
  /** Factor of every match's score, above 0. It is 1 unless the model's annotations weigh the entity's values. */
  readonly weight: number;
  readonly values: Readonly<Record<string, readonly FieldValue[]>>;
  /** Values to count as facets, by field. */
  readonly facets: Readonly<Record<string, readonly string[]>>;
  readonly text: readonly FieldTokens[];
  /** Keys that filters and orders compare, by field. Every field with a value has an entry. */
  readonly filters: Readonly<Record<string, FilterKeys>>;
}
