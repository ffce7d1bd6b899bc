import { parseUrn, type SearchField } from '@stratalog/domain';
import type { ModelWarnings } from '../annotations/model-warnings';
import type { SearchPath } from '../annotations/search-path';
import type { AspectType, EntityType, SearchReference } from './entity-registry';

/** Types whose values place an entity in a folder; a referring entity is not in the folders of another. */
const FOLDER_TYPES: readonly string[] = ['BROWSE_PATH', 'BROWSE_PATH_V2'];

/** Below the boost of fields that hold names: the name of a referenced entity is not a name of the referring one. */
const MAX_BOOST = 7;

/**
 * Resolves the places of `@SearchableRef`: the referring entity types get the search fields of the types that they name, each as
 * `place.field`.
 *
 * Aspects of the referenced type that have references themselves bring no fields. So a change of an entity never
 * concerns entities more than one reference away, and references in a circle end.
 */
export function addReferences(
  entityTypes: readonly EntityType[],
  warnings: ModelWarnings,
): readonly EntityType[] {
  const byName = new Map(entityTypes.map((type) => [type.name.toLowerCase(), type]));
  return entityTypes.map((type) => {
    const references = [...type.aspects.values()].flatMap((aspect) =>
      aspect.searchFields.flatMap((place): readonly SearchReference[] => {
        if (place.refType === undefined) return [];
        const target = byName.get(place.refType.toLowerCase());
        if (target !== undefined) return [buildReference(aspect, place, target)];
        warnings.warn(
          `@SearchableRef: the model has no entity type ${place.refType}, so only the urn is searched`,
          aspect.record.origin,
        );
        return [];
      }),
    );
    if (references.length === 0) return type;
    const searchFields = new Map(type.searchFields);
    for (const field of references.flatMap(({ fields }) => [...fields.values()])) {
      if (!searchFields.has(field.name)) searchFields.set(field.name, field);
    }
    return { ...type, references, searchFields };
  });
}

/** True when the reference can name the urn. */
export function isReferenceTo({ entityType }: SearchReference, urn: string): boolean {
  const parsed = parseUrn(urn);
  return 'urn' in parsed && parsed.urn.entityType.toLowerCase() === entityType.toLowerCase();
}

function buildReference(aspect: AspectType, place: SearchPath, target: EntityType): SearchReference {
  const searchedAspects = [...target.aspects.values()].filter(
    ({ kind, searchFields }) =>
      kind === 'versioned' &&
      searchFields.length > 0 &&
      searchFields.every(({ refType }) => refType === undefined),
  );
  const fields = searchedAspects
    .flatMap(({ searchFields }) => searchFields.map(({ field }) => field))
    .filter(({ type }) => !FOLDER_TYPES.includes(type));
  return {
    aspect,
    place,
    entityType: target.name,
    searchedAspects,
    fields: new Map(fields.map((field) => [field.name, toReferringField(place.field, field)])),
  };
}

function toReferringField(
  reference: SearchField,
  { name, type, queryByDefault, boost }: SearchField,
): SearchField {
  return {
    name: `${reference.name}.${name}`,
    type,
    queryByDefault: reference.queryByDefault && queryByDefault,
    boost: Math.min(reference.boost * boost, MAX_BOOST),
    autocomplete: false,
    aliases: [],
  };
}
