import { SEARCH_FIELD_TYPES, type SearchField, type SearchFieldType } from '@stratalog/domain';
import { isJsonObject, type JsonObject, type JsonValue } from '@stratalog/json';
import { dereferenced, type Schema } from '../schema/schema';
import { errorAt, type Origin } from '../pdl/source-file';
import type { SearchPath } from './search-path';

/** A `@Searchable` body and the place that it describes. */
export interface Annotated {
  readonly options: JsonObject;
  /** Name of the innermost field on the path to the place. */
  readonly fieldName: string;
  readonly type: Schema;
  readonly origin: Origin;
}

const QUERIED_BY_DEFAULT: readonly SearchFieldType[] = [
  'TEXT',
  'TEXT_PARTIAL',
  'WORD_GRAM',
  'URN',
  'URN_PARTIAL',
];

/**
 * Builds the search field of a `@Searchable` body. An option of the wrong JSON type counts as absent.
 *
 * **Errors**: `InvalidModelError` for an unknown `fieldType`.
 */
export function readSearchField(annotated: Annotated, name: string): SearchField {
  const { options, type } = annotated;
  const fieldType = readFieldType(annotated) ?? chooseDefaultType(type);
  return {
    name,
    type: fieldType,
    queryByDefault: boolean(options.queryByDefault) ?? QUERIED_BY_DEFAULT.includes(fieldType),
    boost: typeof options.boostScore === 'number' ? options.boostScore : 1,
    autocomplete: boolean(options.enableAutocomplete) ?? false,
    ...chooseFilterName(name, boolean(options.addToFilters), text(options.filterNameOverride)),
    aliases: readAliases(options),
  };
}

/** A label is an additional alias, which fields of several entity types may share. */
function readAliases({ fieldNameAliases, searchLabel }: JsonObject): readonly string[] {
  const aliases = Array.isArray(fieldNameAliases) ? fieldNameAliases.filter(isText) : [];
  const label = text(searchLabel);
  return label === undefined || aliases.includes(label) ? aliases : [...aliases, label];
}

/** Returns the annotated name, or the field's own name. */
export function readSearchName({ options, fieldName }: Annotated): string {
  return text(options.fieldName) ?? fieldName;
}

/**
 * Builds the companion fields that the annotation asks for: whether a place has values, how many, and when they were
 * written.
 */
export function buildCompanions(
  { options }: Annotated,
  name: string,
): Pick<SearchPath, 'hasValues' | 'numValues' | 'modifiedAt'> {
  const modified = text(options.systemModifiedAtFieldName) ?? `${name}SystemModifiedAt`;
  const has = text(options.hasValuesFieldName);
  const num = text(options.numValuesFieldName);
  return {
    ...(has === undefined
      ? {}
      : {
          hasValues: companion(has, 'BOOLEAN', {
            ...chooseFilterName(
              has,
              boolean(options.addHasValuesToFilters),
              text(options.hasValuesFilterNameOverride),
            ),
          }),
        }),
    ...(num === undefined ? {} : { numValues: companion(num, 'COUNT', {}) }),
    ...(options.includeSystemModifiedAt === true ? { modifiedAt: companion(modified, 'DATETIME', {}) } : {}),
  };
}

/**
 * Reads the factors of the entity's rank, by value.
 *
 * **Errors**: `InvalidModelError` for a weight that is no number above zero.
 */
export function readWeights({ options, origin }: Annotated): ReadonlyMap<string, number> {
  const weights = options.weightsPerFieldValue;
  if (weights === undefined || weights === null) return new Map();
  if (!isJsonObject(weights)) {
    throw errorAt(origin, '@Searchable: expected weightsPerFieldValue to map values to numbers');
  }
  return new Map(
    Object.entries(weights).map(([value, weight]) => {
      if (typeof weight === 'number' && weight > 0) return [value, weight];
      throw errorAt(origin, `@Searchable: expected a number above 0 as the weight of ${value}`);
    }),
  );
}

function companion(name: string, type: SearchFieldType, filter: { filterName?: string }): SearchField {
  return { name, type, queryByDefault: false, boost: 1, autocomplete: false, ...filter, aliases: [] };
}

function readFieldType({ options, origin }: Annotated): SearchFieldType | undefined {
  const name = text(options.fieldType);
  if (name === undefined) return undefined;
  const type = SEARCH_FIELD_TYPES.find((candidate) => candidate === name);
  if (type !== undefined) return type;
  throw errorAt(
    origin,
    `@Searchable: expected a fieldType of ${SEARCH_FIELD_TYPES.join(', ')}, found ${name}`,
  );
}

function chooseDefaultType(schema: Schema): SearchFieldType {
  const type = dereferenced(schema);
  if (type.kind === 'map') return 'KEYWORD';
  if (type.kind !== 'primitive') return 'TEXT';
  if (type.name === 'int') return 'COUNT';
  return type.name === 'float' || type.name === 'double' ? 'DOUBLE' : 'TEXT';
}

/** Returns the display name of a filter: the override, or the field's name with a capital. */
function chooseFilterName(
  name: string,
  offered: boolean | undefined,
  override: string | undefined,
): { filterName?: string } {
  if (offered !== true) return {};
  return { filterName: override ?? name.charAt(0).toUpperCase() + name.slice(1) };
}

function boolean(option: JsonValue | undefined): boolean | undefined {
  return typeof option === 'boolean' ? option : undefined;
}

function text(option: JsonValue | undefined): string | undefined {
  return typeof option === 'string' && option !== '' ? option : undefined;
}

function isText(option: JsonValue): option is string {
  return typeof option === 'string';
}
