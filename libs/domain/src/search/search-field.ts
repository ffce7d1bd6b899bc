/** The search field types of the model's annotations. */
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
  /** Name of the field in queries, e.g. `tags`. */
  readonly name: string;
  readonly type: SearchFieldType;
  /** True when a query without a field name searches this field. */
  readonly queryByDefault: boolean;
  /** Weight of a match in this field, 1 unless annotated. */
  readonly boost: number;
  readonly autocomplete: boolean;
  /** Display name of the filter; absent when the field is no filter. */
  readonly filterName?: string;
  /** Other names of this field. */
  readonly aliases: readonly string[];
  /** Present for a name that means different fields of the searched types: these fields. */
  readonly meanings?: readonly SearchField[];
}

/** The field of every entity that holds the name of its type. Filters and facets may name it. */
export const ENTITY_TYPE_FIELD = '_entityType';

/**
 * The alias of the field with the name that pages show. The filter keys of a document have it too, so that entities of several types have one
 * order.
 */
export const ENTITY_NAME_FIELD = '_entityName';

/** The field of a document whose completions are its names without separators. No query names it. */
export const NAME_FIELD = '_name';

/** Begins the names of the search fields of structured properties, which no model declares: the full name of the property follows. */
const PROPERTY_PREFIX = 'structuredProperties.';

/** Returns the name of the search field of a structured property. */
export function propertyFieldName(fullName: string): string {
  return PROPERTY_PREFIX + fullName;
}

/** Returns the search field of a structured property; `undefined` for any other name. */
export function propertyField(name: string): SearchField | undefined {
  if (!name.startsWith(PROPERTY_PREFIX) || name.length === PROPERTY_PREFIX.length) return undefined;
  return { name, type: 'TEXT', queryByDefault: true, boost: 0.5, autocomplete: false, aliases: [] };
}

/** Returns the full name of the structured property that a search field has the values of. */
export function propertyOfField(name: string): string {
  return name.slice(PROPERTY_PREFIX.length);
}

/** Returns the field with the numbers of a structured property, by which filters and orders compare sizes; the other field has all values as texts. */
export function numbersField(name: string): string {
  return `${name}#`;
}

/** Every entity is searchable by its own urn, with any model. */
export const URN_SEARCH_FIELD: SearchField = {
  name: 'urn',
  type: 'URN',
  queryByDefault: true,
  boost: 1,
  autocomplete: false,
  aliases: [],
};
