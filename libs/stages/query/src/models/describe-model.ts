import { NotFoundError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import {
  buildJsonSchema,
  suggestAspect,
  suggestEntityType,
  typeText,
  type AspectType,
  type EntityRegistry,
  type EntityType,
  type RecordSchema,
} from '@stratalog/registry';

/** Lists all entity types in the model's order. */
export function describeEntities(registry: EntityRegistry): JsonOutputObject {
  return {
    fingerprint: registry.fingerprint,
    entities: registry.entityTypes.map((type) => ({
      ...summarize(type),
      aspects: [...type.aspects.keys()],
    })),
  };
}

/**
 * Lists a page of the entity types with their aspects, in the form of OpenAPI clients.
 *
 * **Shape**: `{start, count, total, elements: [{name, keyAspectName, keyAspectSpec, aspectSpecs}]}`; `count` is the size of the page.
 */
export function listSpecifications(
  { entityTypes }: EntityRegistry,
  { start, count }: { readonly start: number; readonly count: number },
): JsonOutputObject {
  const page = entityTypes.slice(start, start + count);
  const specify = (name: string): JsonOutputObject => ({ aspectAnnotation: { name } });
  return {
    start,
    count: page.length,
    total: entityTypes.length,
    elements: page.map(({ name, keyAspect, aspects }) => ({
      name,
      keyAspectName: keyAspect.name,
      keyAspectSpec: specify(keyAspect.name),
      aspectSpecs: [...aspects.keys()].map(specify),
    })),
  };
}

/**
 * Describes one entity type with its aspects, search fields and relationships.
 *
 * **Errors**: `NotFoundError`.
 */
export function describeEntity(registry: EntityRegistry, name: string): JsonOutputObject {
  const type = registry.entityType(name);
  if (type === undefined)
    throw new NotFoundError(`The model has no entity ${name}${suggestEntityType(registry, name)}`);
  const aspects = [...type.aspects.values()];
  return {
    ...summarize(type),
    keyParts: type.keyAspect.record.fields.map((field) => field.name),
    aspects: aspects.map((aspect) => ({ name: aspect.name, kind: aspect.kind, record: aspect.recordName })),
    searchFields: aspects.flatMap(listSearchFields),
    filters: Object.fromEntries(type.filters),
    relationships: aspects.flatMap(listRelationships),
  };
}

/**
 * Describes one aspect with its fields, entity types, search fields and relationships.
 *
 * **Errors**: `NotFoundError`.
 */
export function describeAspect(registry: EntityRegistry, name: string): JsonOutputObject {
  const aspect = requireAspect(registry, name);
  const { timeseries } = aspect;
  return {
    name: aspect.name,
    kind: aspect.kind,
    isKey: aspect.isKey,
    record: aspect.recordName,
    doc: aspect.record.doc,
    entities: registry.entityTypes.filter(({ aspects }) => aspects.has(name)).map((type) => type.name),
    fields: listFields(aspect.record),
    searchFields: listSearchFields(aspect),
    relationships: listRelationships(aspect),
    ...(timeseries === undefined
      ? {}
      : {
          timeseries: {
            fields: timeseries.fields.map((field) => field.name),
            collections: timeseries.collections.map((collection) => ({
              name: collection.name,
              key: collection.key,
              fields: collection.fields.map((field) => field.name),
            })),
          },
        }),
  };
}

/**
 * Builds the JSON Schema of an aspect.
 *
 * **Errors**: `NotFoundError`.
 */
export function buildAspectSchema(registry: EntityRegistry, name: string): JsonOutputObject {
  return buildJsonSchema(requireAspect(registry, name));
}

function requireAspect(registry: EntityRegistry, name: string): AspectType {
  const aspect = registry.aspect(name);
  if (aspect === undefined)
    throw new NotFoundError(`The model has no aspect ${name}${suggestAspect(registry, name)}`);
  return aspect;
}

function summarize(type: EntityType): JsonOutputObject {
  const { name, doc, category, searchGroup, isViewUnrestricted, keyAspect } = type;
  return {
    name,
    doc,
    ...(category === undefined ? {} : { category }),
    searchGroup,
    viewUnrestricted: isViewUnrestricted,
    keyAspect: keyAspect.name,
  };
}

function listFields({ fields }: RecordSchema): readonly JsonOutputObject[] {
  return fields.map(({ name, doc, type, optional, default: fallback }) => ({
    name,
    type: typeText(type, (named) => named.name),
    isRequired: !optional && fallback === undefined,
    ...(fallback === undefined ? {} : { default: fallback }),
    doc,
  }));
}

function listSearchFields(aspect: AspectType): readonly JsonOutputObject[] {
  return aspect.searchFields.map(({ path, field }) => ({
    name: field.name,
    type: field.type,
    aspect: aspect.name,
    path,
    queryByDefault: field.queryByDefault,
    boost: field.boost,
    autocomplete: field.autocomplete,
    aliases: field.aliases,
    ...(field.filterName === undefined ? {} : { filterName: field.filterName }),
  }));
}

function listRelationships(aspect: AspectType): readonly JsonOutputObject[] {
  return aspect.relationships.map(({ path, name, entityTypes, isLineage, isUpstream }) => ({
    name,
    aspect: aspect.name,
    path,
    entityTypes,
    isLineage,
    isUpstream,
  }));
}
