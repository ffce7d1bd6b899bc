import {
  ENTITY_TYPE_FIELD,
  didYouMean,
  numbersField,
  propertyField,
  type SearchField,
} from '@stratalog/domain';
import type { EntityType } from '@stratalog/registry';

/** Field of the `status` aspect that soft-deletes an entity. Filters may name it for every entity type. */
export const REMOVED = 'removed';

/** Fields of columns, each with the field of what people edited of the same columns; filters on the first mean both. */
const EDITED_TWINS: ReadonlyMap<string, string> = new Map([
  ['fieldTags', 'editedFieldTags'],
  ['fieldGlossaryTerms', 'editedFieldGlossaryTerms'],
  ['fieldDescriptions', 'editedFieldDescriptions'],
]);

/** A field of a filter or order, resolved against the searched entity types. */
export interface SearchedField {
  /** Usually one name; an alias may mean different fields of different types. */
  readonly names: readonly string[];
  readonly kind: 'text' | 'number' | 'boolean';
  /** Present for a structured property: the field with its numbers. `names` has all its values as texts. */
  readonly numbers?: string;
  /** Converts a text that a filter names to the stored value; absent: it is the value. */
  readonly toValue?: (text: string) => string;
}

/** Why a name stands for no field. */
interface FieldFault {
  readonly fault: string;
  /** True: none of the types has such a field. */
  readonly isAbsent?: boolean;
}

/** Suffix that clients of the original append to a field name for its whole value. */
const KEYWORD = '.keyword';

/** Resolves a field name or alias. Types without the field are ignored as long as one type has it. */
export function resolveSearchedField(types: readonly EntityType[], sent: string): SearchedField | FieldFault {
  const name = sent.endsWith(KEYWORD) ? sent.slice(0, -KEYWORD.length) : sent;
  if (name === REMOVED) return { names: [REMOVED], kind: 'boolean' };
  if (name === ENTITY_TYPE_FIELD) {
    return { names: [name], kind: 'text', toValue: (text) => findTypeName(types, text) };
  }
  if (isProperty(types, name)) return { names: [name], kind: 'text', numbers: numbersField(name) };
  const fields = types.flatMap(({ searchFields }) => searchFields.get(name) ?? []);
  const kinds = new Set(fields.map(toKind));
  const [kind] = kinds;
  const shown = sent.slice(0, 100);
  if (kind === undefined) {
    const near = didYouMean(name, listFieldNames(types));
    return { fault: `${shown} is no searchable field of ${formatTypes(types)}${near}`, isAbsent: true };
  }
  if (kinds.size > 1) {
    return { fault: `${shown} holds ${[...kinds].join(' or ')} by the entity type; ask for one type` };
  }
  return { names: [...new Set(fields.map((field) => field.name))], kind };
}

/** Resolves the field of a filter, which may mean further fields. */
export function resolveFilteredField(types: readonly EntityType[], sent: string): SearchedField | FieldFault {
  const field = resolveSearchedField(types, sent);
  if ('fault' in field) return field;
  const twins = field.names.flatMap((name) => EDITED_TWINS.get(name) ?? []);
  const known = twins.filter((twin) => types.some(({ searchFields }) => searchFields.has(twin)));
  return known.length === 0 ? field : { ...field, names: [...new Set([...field.names, ...known])] };
}

/** True for the field of a structured property, which entities of one of the types can have. */
export function isProperty(types: readonly EntityType[], name: string): boolean {
  return propertyField(name) !== undefined && types.some(({ aspects }) => aspects.has(PROPERTIES_ASPECT));
}

const PROPERTIES_ASPECT = 'structuredProperties';

/** Finds the type that clients name in any case, also with underscores as in `DATA_JOB`; else returns the text. */
function findTypeName(types: readonly EntityType[], text: string): string {
  const plain = text.replaceAll('_', '').toLowerCase();
  return types.find(({ name }) => name.toLowerCase() === plain)?.name ?? text;
}

/** Types share most names; the set compares each name once. */
function listFieldNames(types: readonly EntityType[]): ReadonlySet<string> {
  return new Set([
    ...types.flatMap(({ searchFields }) => [...searchFields.keys()]),
    REMOVED,
    ENTITY_TYPE_FIELD,
  ]);
}

function toKind({ type }: SearchField): SearchedField['kind'] {
  switch (type) {
    case 'BOOLEAN':
      return 'boolean';
    case 'COUNT':
    case 'DATETIME':
    case 'DOUBLE':
      return 'number';
    default:
      return 'text';
  }
}

function formatTypes(types: readonly EntityType[]): string {
  const [first] = types;
  return first !== undefined && types.length === 1
    ? `the entity type ${first.name}`
    : `the ${String(types.length)} entity types`;
}
