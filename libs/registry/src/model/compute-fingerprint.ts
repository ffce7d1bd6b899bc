import { createHash } from 'node:crypto';
import type { SearchField } from '@stratalog/domain';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import type { Step } from '../annotations/place';
import type { AspectType, EntityType } from './entity-registry';
import type { NamedSchema, Schema } from '../schema/schema';
import { sortedJson } from '../schema/sorted-json';

/**
 * Hashes the rules of validation.
 *
 * **Shape**: SHA-256, hex, over names, types, optionality, defaults and annotations; docs and the order of files do
 * not count.
 */
export function computeFingerprint(
  urnNamespace: string,
  entityTypes: readonly EntityType[],
  schemas: Iterable<NamedSchema>,
): string {
  return sha256([
    urnNamespace,
    byName(entityTypes).map(({ name, keyAspect, aspects }) => [
      name,
      keyAspect.name,
      byName([...aspects.values()]).map((aspect) => [aspect.name, aspect.kind, aspect.recordName]),
    ]),
    byName([...schemas]).map(describe),
  ]);
}

/** Raise it when the same model projects different documents; indices are then rebuilt. */
const DOCUMENT_VERSION = 4;

/**
 * Hashes the model of search documents.
 *
 * **Shape**: SHA-256, hex, over entity types, their aspects, and the search fields and scores with their paths.
 */
export function computeSearchFingerprint(urnNamespace: string, entityTypes: readonly EntityType[]): string {
  const aspects = new Map(entityTypes.flatMap((type) => [...type.aspects]));
  return sha256([
    DOCUMENT_VERSION,
    urnNamespace,
    byName(entityTypes).map(({ name, aspects, references }) => [
      name,
      [...aspects.keys()],
      references.map(({ place, entityType }) => [place.path, entityType]),
    ]),
    byName([...aspects.values()]).map((aspect) => [
      aspect.name,
      aspect.kind,
      describeSearchFields(aspect),
      aspect.searchScores.map(({ path, weight, defaultValue, modifier }) => [
        path,
        weight,
        defaultValue,
        modifier,
      ]),
    ]),
  ]);
}

function describeSearchFields(aspect: AspectType): JsonOutput {
  return aspect.searchFields.map(
    ({ path, steps, field, hasValues, numValues, modifiedAt, weights, isRichText }) => [
      path,
      steps.map(({ fallback }) => (fallback === undefined ? [] : [sortedJson(fallback)])),
      describeField(field),
      hasValues === undefined ? null : describeField(hasValues),
      numValues === undefined ? null : describeField(numValues),
      modifiedAt === undefined ? null : describeField(modifiedAt),
      [...weights].sort(([a], [b]) => (a < b ? -1 : 1)),
      isRichText,
    ],
  );
}

/** Raise it when the same model projects different edges; graphs are then rebuilt. */
const EDGE_VERSION = 2;

/**
 * Hashes the model of edges.
 *
 * **Shape**: SHA-256, hex, over entity types, and the relationships of their aspects with their paths.
 */
export function computeGraphFingerprint(entityTypes: readonly EntityType[]): string {
  const aspects = new Map(entityTypes.flatMap((type) => [...type.aspects]));
  return sha256([
    EDGE_VERSION,
    byName(entityTypes).map((type) => [type.name, [...type.aspects.keys()]]),
    byName([...aspects.values()]).map(({ name, relationships, columnLinks }) => [
      name,
      columnLinks.map(({ kind, field }) => [kind, field]),
      relationships.map(({ steps, name: relationship, isLineage, isUpstream, facts }) => [
        relationship,
        isLineage,
        isUpstream,
        describeSteps(steps),
        Object.entries(facts).map(([fact, own]) => [fact, describeSteps(own)]),
      ]),
    ]),
  ]);
}

function describeSteps(steps: readonly Step[]): JsonOutput {
  return steps.map(({ name, fallback }) => [name, ...(fallback === undefined ? [] : [sortedJson(fallback)])]);
}

function describeField({
  name,
  type,
  queryByDefault,
  boost,
  autocomplete,
  filterName,
  aliases,
}: SearchField): JsonOutput {
  return [name, type, queryByDefault, boost, autocomplete, filterName ?? null, aliases];
}

function describe(schema: NamedSchema): JsonOutput {
  const named = [schema.kind, schema.name, sortedJson(schema.annotations)];
  switch (schema.kind) {
    case 'record':
      return [
        ...named,
        schema.fields.map(({ name, type, optional, default: fallback, annotations }) => [
          name,
          reference(type),
          optional,
          fallback === undefined ? [] : [sortedJson(fallback)],
          sortedJson(annotations),
        ]),
      ];
    case 'enum':
      return [...named, schema.symbols.map(({ name, annotations }) => [name, sortedJson(annotations)])];
    case 'typeref':
      return [...named, reference(schema.ref)];
    case 'fixed':
      return [...named, schema.size];
  }
}

/** Describes a type at its use; named types by name, so cycles terminate. */
function reference(schema: Schema): JsonOutput {
  switch (schema.kind) {
    case 'array':
      return ['array', reference(schema.items)];
    case 'map':
      return ['map', reference(schema.values)];
    case 'union':
      return [
        'union',
        schema.members.map(({ key, aliased, type, annotations }) => [
          key,
          aliased,
          reference(type),
          sortedJson(annotations),
        ]),
      ];
    default:
      return schema.name;
  }
}

function byName<T extends { readonly name: string }>(named: readonly T[]): readonly T[] {
  return [...named].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function sha256(value: JsonOutput): string {
  return createHash('sha256').update(toText(value)).digest('hex');
}

/**
 * The built-in writer is several times as fast. It fails only on `bigint`, which few models contain: 64-bit integers
 * in an annotation.
 */
function toText(value: JsonOutput): string {
  try {
    return JSON.stringify(value);
  } catch {
    return stringifyJson(value);
  }
}
