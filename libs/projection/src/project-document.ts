import {
  ENTITY_NAME_FIELD,
  ENTITY_TYPE_FIELD,
  URN_SEARCH_FIELD,
  numbersField,
  propertyField,
  type FieldTokens,
  type FieldValue,
  type ReferencedEntities,
  type SearchDocument,
  type StoredEntity,
} from '@stratalog/domain';
import { parseInSteps, type Steps } from '@stratalog/json';
import {
  boundWeight,
  extractSearchValues,
  computeSearchWeight,
  type AspectType,
  type EntityType,
} from '@stratalog/registry';
import { analyzeField, analyzeNames, boundTokens, toFilterKeys, writtenNames } from '@stratalog/search-text';
import { weighDocument } from './weigh-document';
import { projectBrowse, type BrowseEntry } from './project-browse';
import { PROPERTIES_ASPECT, listPropertyValues } from './project-properties';
import { addReferencedValues } from './project-references';

/** The search field that soft-deletes an entity when true; the model's `status` aspect declares it. */
const REMOVED = 'removed';
const MAX_VALUE_CHARACTERS = 1_000;
const MAX_HELD_CHARACTERS = 8_000;
const VALUES_A_STEP = 256;
const TOKENS_A_STEP = 64;
/** So many values of a field are counted for one entity; a facet shows far fewer. */
const MAX_FACET_VALUES = 2_000;

/**
 * Projects an entity to its search document: a pure function of its latest aspects, the latest values of its timeseries
 * aspects, and the aspects of the entities that it refers to (`@SearchableRef`), so live indexing, a rebuild and a check agree.
 *
 * The values of several aspects with one search field stand side by side.
 */
export function* projectDocument(
  entityType: EntityType,
  entity: StoredEntity,
  referenced: ReferencedEntities = new Map(),
): Steps<SearchDocument> {
  const { values, weight, properties } = yield* readAspects(entityType, entity, referenced);
  const removed = values.get(REMOVED)?.includes(true) ?? false;
  const text: FieldTokens[] = [];
  const plain: Record<string, readonly FieldValue[]> = {};
  const facets: Record<string, readonly string[]> = { [ENTITY_TYPE_FIELD]: [entityType.name] };
  const places: BrowseEntry['filters'][] = [];
  for (const [name, own] of values) {
    const field = entityType.searchFields.get(name);
    if (field === undefined) continue;
    const tokens = analyzeField(field, own);
    text.push(tokens);
    plain[name] = own;
    if (entityType.filters.has(name)) facets[name] = own.slice(0, MAX_FACET_VALUES).map(String);
    const browse = projectBrowse(field, entity.urn, own);
    Object.assign(facets, browse.facets);
    places.push(browse.filters);
    if (tokens.tokens.length >= TOKENS_A_STEP) yield;
  }
  for (const [name, own] of properties) {
    const field = propertyField(name);
    if (field === undefined) continue;
    // As values of a urn field, urns have the words of their ids alone.
    text.push(analyzeField({ ...field, type: 'URN' }, own));
    plain[name] = own;
    facets[name] = own.slice(0, MAX_FACET_VALUES).map(String);
  }
  const written = writtenNames(entityType.searchFields, values);
  const names = analyzeNames(written);
  if (names.completions.length > 0) text.push(names);
  return {
    urn: entity.urn,
    entityType: entityType.name,
    seq: entity.seq,
    removed,
    deleted: false,
    weight: boundWeight(weight * weighDocument(values, { tokens: names, written })),
    values: boundValues(plain),
    facets,
    text: boundTokens(text),
    filters: Object.assign(
      projectFilters(entityType, { values, properties, removed }),
      ...places,
    ) as SearchDocument['filters'],
  };
}

function projectFilters(
  { name, searchFields }: EntityType,
  { values, properties, removed }: Pick<ReadAspects, 'values' | 'properties'> & { readonly removed: boolean },
): SearchDocument['filters'] {
  // An entity without a status is visible, and filters can test that.
  const all = new Map([...values, [REMOVED, [removed]], [ENTITY_TYPE_FIELD, [name]]]);
  for (const [field, own] of properties) {
    all.set(field, own.map(String));
    const numbers = own.filter((value) => typeof value === 'number');
    if (numbers.length > 0) all.set(numbersField(field), numbers);
  }
  const filters = toFilterKeys(all, searchFields);
  const names = filters[searchFields.get(ENTITY_NAME_FIELD)?.name ?? ''];
  return names === undefined
    ? filters
    : { ...filters, [ENTITY_NAME_FIELD]: { tokens: [], keys: names.keys } };
}

/**
 * Builds the document of a hard-deleted entity: left out of searches, without tokens, and with a `seq`, so a late change
 * record cannot restore the entity.
 */
export function makeTombstone(entityType: string, { urn, seq }: StoredEntity): SearchDocument {
  const nothing = { weight: 1, values: {}, facets: {}, text: [], filters: {} };
  return { urn, entityType, seq, removed: true, deleted: true, ...nothing };
}

/**
 * Bounds the stored values of a document, which a hit uses to report its match: the start of long texts, and a total
 * that fits a page of ten thousand hits. Matching uses the tokens and is not affected.
 */
function boundValues(
  values: Readonly<Record<string, readonly FieldValue[]>>,
): Record<string, readonly FieldValue[]> {
  const bounded: Record<string, readonly FieldValue[]> = {};
  let left = MAX_HELD_CHARACTERS;
  for (const [name, own] of Object.entries(values)) {
    const kept: FieldValue[] = [];
    bounded[name] = kept;
    for (const value of own) {
      const held = typeof value === 'string' ? wellFormedStart(value, MAX_VALUE_CHARACTERS) : value;
      left -= typeof held === 'string' ? held.length : 1;
      if (left < 0) return bounded;
      kept.push(held);
    }
  }
  return bounded;
}

/** Returns the start of a text, without half a surrogate pair, which JSON cannot hold. */
function wellFormedStart(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.slice(0, length);
  return /[\ud800-\udbff]$/.test(start) ? start.slice(0, -1) : start;
}

interface ReadAspects {
  /** Values by search field of the model. */
  readonly values: ReadonlyMap<string, readonly FieldValue[]>;
  /** Values by search field of a structured property. */
  readonly properties: ReadonlyMap<string, readonly FieldValue[]>;
  readonly weight: number;
}

/**
 * Collects distinct values by field name, in the model's order of aspects, so the document does not depend on the
 * order of reading. The weight is the product over all aspects, absent ones included.
 */
function* readAspects(
  entityType: EntityType,
  entity: StoredEntity,
  referenced: ReferencedEntities,
): Steps<ReadAspects> {
  const stored = new Map<string, { readonly value: string; readonly writtenMs: number }>();
  for (const { name, value, created } of entity.aspects) stored.set(name, { value, writtenMs: created.time });
  for (const { aspectName, value, timestampMs } of entity.latestValues ?? []) {
    stored.set(aspectName, { value, writtenMs: timestampMs });
  }
  const values = new Map<string, Set<FieldValue>>([[URN_SEARCH_FIELD.name, new Set([entity.urn])]]);
  let weight = 1;
  let properties: ReadAspects['properties'] = new Map();
  for (const aspect of listSearched(entityType)) {
    const latest = stored.get(aspect.name);
    if (latest === undefined && aspect.searchScores.length === 0) continue;
    const parsed = latest === undefined ? undefined : yield* parseInSteps(latest.value);
    weight *= yield* computeSearchWeight(aspect, parsed);
    if (latest === undefined || parsed === undefined) continue;
    if (aspect.name === PROPERTIES_ASPECT) properties = listPropertyValues(parsed.value);
    for (const { field, values: found } of yield* extractSearchValues(aspect, parsed, latest.writtenMs)) {
      const own = values.get(field.name) ?? new Set();
      values.set(field.name, own);
      let left = VALUES_A_STEP;
      for (const each of found) {
        own.add(each);
        if (--left > 0) continue;
        left = VALUES_A_STEP;
        yield;
      }
    }
  }
  if (referenced.size > 0) yield* addReferencedValues(entityType, values, referenced);
  const listed = new Map<string, readonly FieldValue[]>();
  for (const [name, own] of values) listed.set(name, [...own]);
  return { values: listed, properties, weight: boundWeight(weight) };
}

// Types have some forty aspects, and most of their entities have values of few.
const searchedAspects = new WeakMap<EntityType, readonly AspectType[]>();

/** Lists the aspects of a type that documents depend on, in the model's order. */
function listSearched(entityType: EntityType): readonly AspectType[] {
  const known = searchedAspects.get(entityType);
  if (known !== undefined) return known;
  const searched = [...entityType.aspects.values()].filter(
    ({ name, searchFields, searchScores }) =>
      searchFields.length > 0 || searchScores.length > 0 || name === PROPERTIES_ASPECT,
  );
  searchedAspects.set(entityType, searched);
  return searched;
}
