import { findAnnotatedPlaces, type AnnotatedPlace } from './annotated-places';
import type { ModelWarnings, OptionNames } from './model-warnings';
import type { RecordSchema } from '../schema/schema';
import { errorAt } from '../pdl/source-file';
import {
  buildCompanions,
  readSearchField,
  readSearchName,
  readWeights,
  type Annotated,
} from './read-search-field';
import type { SearchPath } from './search-path';

const EFFECTIVE: ReadonlySet<string> = new Set([
  'fieldName',
  'fieldType',
  'queryByDefault',
  'enableAutocomplete',
  'addToFilters',
  'addHasValuesToFilters',
  'filterNameOverride',
  'hasValuesFilterNameOverride',
  'boostScore',
  'hasValuesFieldName',
  'numValuesFieldName',
  'weightsPerFieldValue',
  'fieldNameAliases',
  'includeSystemModifiedAt',
  'systemModifiedAtFieldName',
  'searchLabel',
  'sanitizeRichText',
]);
/** Options for the index layout of another engine; their results hold here without them. */
const IDLE: ReadonlySet<string> = new Set([
  'includeQueryEmptyAggregation',
  'searchTier',
  'searchIndexed',
  'entityFieldName',
  'eagerGlobalOrdinals',
  'v3',
]);
const OPTIONS: OptionNames = { effective: EFFECTIVE, idle: IDLE };
/** References of a referenced entity are not followed, whatever the depth. */
const REF_OPTIONS: OptionNames = {
  effective: new Set([...EFFECTIVE, 'refType']),
  idle: new Set([...IDLE, 'depth']),
};

/**
 * Finds the searchable places of an aspect: those of `@Searchable` in the order of its fields, then the urns of
 * `@SearchableRef`, which bring fields of the entities that they name. Of two places with one name, the later gets its path as name.
 *
 * **Errors**: `InvalidModelError` for a malformed annotation, or one whose path leads nowhere.
 */
export function readSearchPaths(
  record: RecordSchema,
  rename: (name: string) => string,
  warnings: ModelWarnings,
): readonly SearchPath[] {
  const taken = new Set<string>();
  return findSearchedPlaces(record, rename, warnings).map((annotated) => {
    const { path, steps, type, options, origin, refType } = annotated;
    const wanted = readSearchName(annotated);
    const name = taken.has(wanted) ? path.slice(1).replaceAll('/', '_').replaceAll('*', '') : wanted;
    if (taken.has(name)) throw errorAt(origin, `@Searchable: the search name ${name} is taken twice`);
    taken.add(name);
    return {
      path,
      steps,
      field: readSearchField(annotated, name),
      type,
      ...buildCompanions(annotated, name),
      weights: readWeights(annotated),
      isRichText: options.sanitizeRichText === true,
      ...(refType === undefined ? {} : { refType }),
      options,
    };
  });
}

function findSearchedPlaces(
  record: RecordSchema,
  rename: (name: string) => string,
  warnings: ModelWarnings,
): readonly (AnnotatedPlace & Annotated & Pick<SearchPath, 'refType'>)[] {
  const plain = findAnnotatedPlaces(record, { annotation: 'Searchable', rename, maps: 'whole' });
  for (const { options, origin } of plain) {
    warnings.options('Searchable', options, OPTIONS, origin);
  }
  const references = findAnnotatedPlaces(record, { annotation: 'SearchableRef', rename, maps: 'whole' });
  return [
    ...plain,
    ...references.map((place) => ({
      ...place,
      options: { fieldType: 'URN', ...place.options },
      refType: readRefType(place, warnings),
    })),
  ];
}

function readRefType({ options, origin, type }: AnnotatedPlace, warnings: ModelWarnings): string {
  warnings.options('SearchableRef', options, REF_OPTIONS, origin);
  if (typeof options.refType !== 'string' || options.refType === '') {
    throw errorAt(origin, '@SearchableRef: expected a refType, the entity type that is referred to');
  }
  if (type.kind !== 'primitive' || type.name !== 'string') {
    throw errorAt(origin, '@SearchableRef: expected a urn');
  }
  return options.refType;
}
