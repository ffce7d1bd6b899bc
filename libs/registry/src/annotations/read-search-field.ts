import {
  SEARCH_FIELD_TYPES,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type SearchField,
  type SearchFieldType,
} from '@stratalog/model';
import { dereferenced, type Schema } from '../schema/schema';
import { errorAt, type Origin } from '../pdl/source-file';
import type { SearchPath } from './search-path';

/** A `@Searchable` body with the place that it describes. */
export interface Annotated {
  readonly options: JsonObject;
  /** Name of the innermost field on the way to the place. */
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
 * The search field that a `@Searchable` body declares. An option of the wrong JSON type counts as absent.
 *
 * **Errors**: `InvalidModelError` for a `fieldType` that does not exist.
 */
export function readSearchField(annotated: Annotated, name: string): SearchField {
  const { options, type } = annotated;
  const fieldType = typeOf(annotated) ?? chooseDefaultType(type);
  return {
    name,
    type: fieldType,
    queryByDefault: boolean(options.queryByDefault) ?? QUERIED_BY_DEFAULT.includes(fieldType),
    boost: typeof options.boostScore === 'number' ? options.boostScore : 1,
    autocomplete: boolean(options.enableAutocomplete) ?? false,
    ...filterNameOf(name, boolean(options.addToFilters), text(options.filterNameOverride)),
    aliases: aliasesOf(options),
  };
}

/** A label is one more name, which fields of several entity types share. */
function aliasesOf({ fieldNameAliases, searchLabel }: JsonObject): readonly string[] {
  const aliases = Array.isArray(fieldNameAliases) ? fieldNameAliases.filter(isText) : [];
  const label = text(searchLabel);
  return label === undefined || aliases.includes(label) ? aliases : [...aliases, label];
}

/** The field's name unless the annotation gives another. */
export function searchNameOf({ options, fieldName }: Annotated): string {
  return text(options.fieldName) ?? fieldName;
}

/** The fields that say whether, how much and since when a place holds something, where the annotation of `name` asks for them. */
export function companionsOf(
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
            ...filterNameOf(
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
 * What values of the place do to the entity's rank.
 *
 * **Errors**: `InvalidModelError` for a weight that is no number above zero.
 */
export function weightsOf({ options, origin }: Annotated): ReadonlyMap<string, number> {
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

function typeOf({ options, origin }: Annotated): SearchFieldType | undefined {
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

/** A field that is offered as a filter is shown under its override, else under its name with a capital. */
function filterNameOf(
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
