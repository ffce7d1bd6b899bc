/** The search field types that the model's annotations know. */
export const SEARCH_FIELD_TYPES = [
  'KEYWORD',
  'TEXT',
  'TEXT_PARTIAL',
  'WORD_GRAM',
  'URN',
  'URN_PARTIAL',
  'BROWSE_PATH',
  'BROWSE_PATH_V2',
  'COUNT',
  'BOOLEAN',
  'DATETIME',
  'OBJECT',
  'MAP_ARRAY',
  'DOUBLE',
] as const;
export type SearchFieldType = (typeof SEARCH_FIELD_TYPES)[number];

/** One searchable field of an entity type, as its aspects' annotations declare it. */
export interface SearchField {
  /** The name under which it is searched, e.g. `tags`. */
  readonly name: string;
  readonly type: SearchFieldType;
  /** True when a query without a field name looks here too. */
  readonly queryByDefault: boolean;
  /** Weight of a match here, 1 unless annotated. */
  readonly boost: number;
  readonly autocomplete: boolean;
  /** Display name of the filter when the field is offered as one. */
  readonly filterName?: string;
  /** Other names that mean this field. */
  readonly aliases: readonly string[];
}

/** Every entity is found by its own urn, whatever its model says. */
export const URN_SEARCH_FIELD: SearchField = {
  name: 'urn',
  type: 'URN',
  queryByDefault: true,
  boost: 1,
  autocomplete: false,
  aliases: [],
};
