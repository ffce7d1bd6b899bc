import { URN_SEARCH_FIELD, type SearchField } from '@stratalog/domain';
import { isJsonObject } from '@stratalog/json';
import type { ModelWarnings, OptionNames } from '../annotations/model-warnings';
import { addReferences } from './add-references';
import type { AspectType, EntityType } from './entity-registry';
import type { EntityEntry, NamedAspect } from './read-registry-file';
import { dereferenced, type FieldSchema, type NamedSchema, type RecordSchema } from '../schema/schema';
import { readColumnLinks } from '../annotations/read-column-links';
import { readExpectedUrns } from '../annotations/read-expected-urns';
import { readRelationshipPaths } from '../annotations/read-relationship-paths';
import { readSearchPaths } from '../annotations/read-search-paths';
import { readSearchScores } from '../annotations/search-score';
import { errorAt, placeOf, type Origin } from '../pdl/source-file';
import { readTimeseriesFields, warnOfTimeseries } from '../annotations/read-timeseries-fields';
import { readUrnRule } from '../check/urn-check';

/** Input of annotation readers in addition to the schemas. */
export interface LoadContext {
  readonly rename: (name: string) => string;
  readonly warnings: ModelWarnings;
}

interface Aspects {
  readonly aspects: ReadonlyMap<string, AspectType>;
  readonly entityTypes: readonly EntityType[];
}

interface AspectRecord {
  readonly name: string;
  readonly kind: AspectType['kind'];
  readonly record: RecordSchema;
}

/** An entity merged from the declarations of several folders. */
interface MergedEntity {
  readonly entry: EntityEntry;
  readonly keyAspect: NamedAspect;
  readonly aspects: NamedAspect[];
}

/**
 * Joins the registry files with the records that declare aspects (`@Aspect = {"name": ..., "type"?: "timeseries"}`).
 *
 * **Errors**: `InvalidModelError` for two records with one aspect name, an aspect without a record, an entity without
 * key aspect, and a key with fields that no urn can contain.
 */
export function buildEntityTypes(
  folders: readonly (readonly EntityEntry[])[],
  schemas: ReadonlyMap<string, NamedSchema>,
  context: LoadContext,
): Aspects {
  const entities = mergeEntities(folders);
  const keys = new Set(entities.map(({ keyAspect }) => keyAspect.name));
  const aspects = new Map<string, AspectType>();
  for (const declared of resolveAspectRecords(schemas, context.warnings)) {
    aspects.set(declared.name, buildAspectType(declared, keys.has(declared.name), context));
  }
  const entityTypes = entities.map((entity) => buildEntityType(entity, aspects));
  return { aspects, entityTypes: addReferences(entityTypes, context.warnings) };
}

function buildAspectType(
  { name, kind, record }: AspectRecord,
  isKey: boolean,
  { rename, warnings }: LoadContext,
): AspectType {
  if (kind === 'versioned') warnOfTimeseries(record, warnings);
  return {
    name,
    kind,
    isKey,
    recordName: record.name,
    record,
    searchFields: readSearchPaths(record, rename, warnings),
    searchScores: readSearchScores(record, rename, warnings),
    relationships: readRelationshipPaths(record, rename, warnings),
    expectedUrns: readExpectedUrns(record, rename),
    columnLinks: readColumnLinks(record),
    ...(kind === 'timeseries' ? { timeseries: readTimeseriesFields(record, warnings) } : {}),
  };
}

function buildEntityType(
  { entry, keyAspect, aspects }: MergedEntity,
  all: ReadonlyMap<string, AspectType>,
): EntityType {
  const key = requireAspect(keyAspect, all);
  rejectOddKey(key);
  const own = new Map([keyAspect, ...aspects].map((aspect) => [aspect.name, requireAspect(aspect, all)]));
  const { name, doc, category, searchGroup, isViewUnrestricted } = entry;
  return {
    name,
    doc,
    ...(category === undefined ? {} : { category }),
    searchGroup,
    isViewUnrestricted,
    keyAspect: key,
    aspects: own,
    searchFields: collectSearchFields([...own.values()]),
    filters: collectFilters([...own.values()]),
    references: [],
  };
}

function requireAspect({ name, origin }: NamedAspect, aspects: ReadonlyMap<string, AspectType>): AspectType {
  const aspect = aspects.get(name);
  if (aspect !== undefined) return aspect;
  throw errorAt(origin, `expected an aspect, but no record declares ${name} (@Aspect = {"name": "${name}"})`);
}

function mergeEntities(folders: readonly (readonly EntityEntry[])[]): readonly MergedEntity[] {
  const merged = new Map<string, MergedEntity>();
  for (const entry of folders.flat()) {
    const known = merged.get(entry.name.toLowerCase());
    if (known === undefined) {
      if (entry.keyAspect === undefined)
        throw errorAt(entry.origin, `expected a keyAspect for ${entry.name}`);
      merged.set(entry.name.toLowerCase(), {
        entry,
        keyAspect: entry.keyAspect,
        aspects: [...entry.aspects],
      });
      continue;
    }
    rejectOtherKey(entry, known);
    known.aspects.push(...entry.aspects);
  }
  return [...merged.values()];
}

function rejectOtherKey({ name, keyAspect, origin }: EntityEntry, known: MergedEntity): void {
  const first = placeOf(known.entry.origin);
  if (name !== known.entry.name) {
    throw errorAt(origin, `the entity ${name} is spelled ${known.entry.name} at ${first}`);
  }
  if (keyAspect !== undefined && keyAspect.name !== known.keyAspect.name) {
    throw errorAt(keyAspect.origin, `the key aspect of ${name} is ${known.keyAspect.name} at ${first}`);
  }
}

const ASPECT_OPTIONS: OptionNames = {
  effective: new Set(['name', 'type']),
  idle: new Set([
    'autoRender',
    'renderSpec',
    'isKey',
    'keyForEntity',
    'entityAspects',
    'EntityUrns',
    'schemaVersion',
  ]),
};

function resolveAspectRecords(
  schemas: ReadonlyMap<string, NamedSchema>,
  warnings: ModelWarnings,
): readonly AspectRecord[] {
  const byName = new Map<string, AspectRecord>();
  for (const schema of schemas.values()) {
    const annotation = schema.annotations.Aspect;
    if (annotation === undefined) continue;
    const name = isJsonObject(annotation) ? annotation.name : undefined;
    const type = isJsonObject(annotation) ? annotation.type : undefined;
    if (typeof name !== 'string' || name === '')
      throw errorAt(schema.origin, '@Aspect: expected {"name": "<text>"}');
    if (isJsonObject(annotation)) warnings.options('Aspect', annotation, ASPECT_OPTIONS, schema.origin);
    if (schema.kind !== 'record')
      throw errorAt(schema.origin, `@Aspect: expected a record, found the ${schema.kind}`);
    if (type !== undefined && type !== 'timeseries' && type !== 'versioned') {
      throw errorAt(schema.origin, '@Aspect: expected the type "timeseries", or none');
    }
    const other = byName.get(name);
    if (other !== undefined) {
      throw errorAt(
        schema.origin,
        `the aspect ${name} is declared twice, first at ${placeOf(other.record.origin)}`,
      );
    }
    byName.set(name, { name, kind: type ?? 'versioned', record: schema });
  }
  return [...byName.values()];
}

/** A urn is text, so the parts of a key are strings, symbols or urns; a key has at least one part. */
function rejectOddKey({ name, record, kind }: AspectType): void {
  const odd = record.fields.find((field) => !isKeyPart(field));
  if (odd !== undefined)
    fail(odd.origin, `the field ${odd.name} of the key ${name} must be a string, an enum or a urn`);
  if (record.fields.length === 0) fail(record.origin, `the key ${name} needs at least one field`);
  if (kind !== 'versioned') fail(record.origin, `the key ${name} must not be a timeseries aspect`);
}

function isKeyPart({ type }: FieldSchema): boolean {
  if (type.kind === 'typeref' && readUrnRule(type) !== undefined) return true;
  const target = dereferenced(type);
  return target.kind === 'enum' || (target.kind === 'primitive' && target.name === 'string');
}

function fail(origin: Origin, message: string): never {
  throw errorAt(origin, message);
}

/** Adds names before aliases, so an alias never hides a field of that name. */
function collectSearchFields(aspects: readonly AspectType[]): ReadonlyMap<string, SearchField> {
  const fields = aspects.flatMap((aspect) =>
    aspect.searchFields.flatMap(({ field, hasValues, numValues, modifiedAt }) =>
      [field, hasValues, numValues, modifiedAt].filter((candidate) => candidate !== undefined),
    ),
  );
  const byName = new Map<string, SearchField>([[URN_SEARCH_FIELD.name, URN_SEARCH_FIELD]]);
  for (const field of fields) if (!byName.has(field.name)) byName.set(field.name, field);
  for (const field of fields) {
    for (const alias of field.aliases) if (!byName.has(alias)) byName.set(alias, field);
  }
  return byName;
}

/** The contract's examples count this field although the model does not mark it as a filter. */
const TOOL_FIELD = 'tool';

function collectFilters(aspects: readonly AspectType[]): ReadonlyMap<string, string> {
  const filters = new Map<string, string>();
  for (const { field } of aspects.flatMap(({ searchFields }) => searchFields)) {
    if (field.name === TOOL_FIELD) filters.set(field.name, 'Tool');
  }
  for (const { field, hasValues } of aspects.flatMap(({ searchFields }) => searchFields)) {
    for (const offered of [field, hasValues]) {
      if (offered?.filterName === undefined || filters.has(offered.name)) continue;
      filters.set(offered.name, offered.filterName);
    }
  }
  return filters;
}
