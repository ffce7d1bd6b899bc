import type { SearchField, SearchFieldType } from '@stratalog/domain';

export type FieldKind = 'text' | 'value' | 'urn' | 'number';

const KINDS: Readonly<Record<SearchFieldType, FieldKind>> = {
  TEXT: 'text',
  TEXT_PARTIAL: 'text',
  WORD_GRAM: 'text',
  OBJECT: 'text',
  MAP_ARRAY: 'text',
  KEYWORD: 'value',
  BROWSE_PATH: 'value',
  BROWSE_PATH_V2: 'value',
  URN: 'urn',
  URN_PARTIAL: 'urn',
  BOOLEAN: 'number',
  COUNT: 'number',
  DATETIME: 'number',
  DOUBLE: 'number',
};

/** Returns how a field matches: `field:value` compares words on `text` fields, and whole values on all others. */
export function fieldKind(field: SearchField): FieldKind {
  return KINDS[field.type];
}
