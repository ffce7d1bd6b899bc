import type { JsonObject, JsonValue } from '@stratalog/json';
import {
  typeText,
  type AspectType,
  type EntityRegistry,
  type EntityType,
  type FieldSchema,
  type NamedSchema,
} from '@stratalog/registry';

/**
 * Formats the output of `model show` as JSON for scripts. Types of fields use the same notation, with full
 * names.
 */

export function modelJson({ entityTypes, aspects, types }: EntityRegistry): JsonObject {
  return {
    entities: entityTypes.map(entityJson),
    aspects: aspects.map(({ name }) => name),
    types: types.map(({ name, kind }) => ({ name, kind })),
  };
}

export function entityJson(entity: EntityType): JsonObject {
  const { name, doc, category, searchGroup, isViewUnrestricted, keyAspect, aspects } = entity;
  return {
    kind: 'entity',
    name,
    doc,
    ...(category === undefined ? {} : { category }),
    searchGroup,
    isViewUnrestricted,
    keyAspect: keyAspect.name,
    aspects: [...aspects.keys()],
  };
}

export function aspectJson(aspect: AspectType, { entityTypes }: EntityRegistry): JsonObject {
  const { name, kind, isKey, record, recordName, searchFields, relationships } = aspect;
  return {
    kind: 'aspect',
    name,
    doc: record.doc,
    isTimeseries: kind === 'timeseries',
    isKey,
    record: recordName,
    entities: entityTypes.filter((entity) => entity.aspects.has(name)).map((entity) => entity.name),
    fields: record.fields.map(fieldJson),
    searchFields: searchFields.map(({ field, path }) => ({
      name: field.name,
      aliases: [...field.aliases],
      type: field.type,
      path,
    })),
    relationships: relationships.map((edge) => ({
      name: edge.name,
      entityTypes: [...edge.entityTypes],
      path: edge.path,
    })),
  };
}

export function typeJson(type: NamedSchema): JsonObject {
  const { kind, name, doc } = type;
  return { kind, name, doc, ...toContent(type) };
}

function toContent(type: NamedSchema): JsonObject {
  switch (type.kind) {
    case 'record':
      return { fields: type.fields.map(fieldJson) };
    case 'enum':
      return { symbols: type.symbols.map((symbol) => ({ name: symbol.name, doc: symbol.doc })) };
    case 'typeref':
      return { ref: typeText(type.ref, fullName) };
    case 'fixed':
      return { size: type.size };
  }
}

function fieldJson({ name, type, optional, default: fallback, doc }: FieldSchema): JsonValue {
  return { name, type: typeText(type, fullName), required: !optional && fallback === undefined, doc };
}

function fullName({ name }: NamedSchema): string {
  return name;
}
