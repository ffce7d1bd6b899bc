import {
  UnavailableError,
  distance,
  type JsonOutput,
  type JsonOutputObject,
  type PartitionSequences,
  type QueryNode,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/model';
import type { AspectStore, SearchIndexVersions } from '@stratalog/ports';
import { type EntityRegistry, type EntityType } from '@stratalog/registry';
import { matchedFields, parseQuery } from '@stratalog/search-text';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { rejectCostly } from './search-cost';

export interface SearchDeps {
  readonly store: AspectStore;
  readonly searchIndexes: SearchIndexVersions;
  readonly registry: EntityRegistry;
}

export interface SearchQueryParameters extends FilterAndSort {
  readonly entityType: EntityType;
  readonly input: string;
  readonly start: number;
  readonly count: number;
  /** True: each entity is an object `{entity, matchedFields, score}`; false: a urn. */
  readonly entitiesAsObjects: boolean;
}

/** An answer from an index, with the position of the index. */
export interface IndexAnswer {
  readonly body: JsonOutput;
  /** The position that the answer reflects. */
  readonly position: PartitionSequences;
  /** Number of changes in the store that the answer does not reflect. */
  readonly lag: number;
}

export const FACETS: readonly string[] = ['platform'];
export const FACET_LIMIT = 20;

/**
 * Searches the latest state of one entity type.
 *
 * **Shape**: the contract's search result; `metadata` carries the older and the newer form side by side.
 *
 * **Errors**: `UnavailableError` while the first index is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export async function searchEntities(
  deps: SearchDeps,
  { entityType, input, entitiesAsObjects, ...page }: SearchQueryParameters,
): Promise<IndexAnswer> {
  const { searchFields, filters } = entityType;
  const query = parseQuery(input, searchFields);
  const answered = await queryIndex(deps, {
    ...page,
    entityTypes: [entityType.name],
    query,
    facets: FACETS,
    facetLimit: FACET_LIMIT,
  });
  const members = formatResult(answered.result, {
    query,
    entitiesAsObjects,
    filters,
    fieldsOf: () => searchFields,
    page: { pageSize: page.count, from: page.start },
  });
  return toAnswer(answered, members);
}

/** The live index's result for a request, and its lag behind the store. */
export interface IndexedResult {
  readonly result: SearchResult;
  readonly position: PartitionSequences;
  readonly lag: number;
}

/**
 * Queries the live index.
 *
 * **Errors**: those of `rejectCostly`; `UnavailableError` while the first index is being built.
 */
export async function queryIndex(
  { searchIndexes, store }: SearchDeps,
  request: SearchRequest,
): Promise<IndexedResult> {
  rejectCostly(request);
  const index = await searchIndexes.live();
  if (index === undefined) throw new UnavailableError('The search index is being built');
  const result = await index.search(request);
  return { result, position: result.position, lag: distance(result.position, await store.head()) };
}

export function toAnswer({ position, lag }: IndexedResult, body: JsonOutput): IndexAnswer {
  return { body, position, lag };
}

/** Options for formatting the hits of a result. */
export interface HitView {
  readonly query: QueryNode;
  readonly entitiesAsObjects: boolean;
  /** Display names of facets, by field. */
  readonly filters: ReadonlyMap<string, string>;
  /** Returns the searchable fields of the entity type of a hit. */
  readonly fieldsOf: (urn: string) => EntityType['searchFields'];
  /** Members of the answer that describe the page. */
  readonly page: JsonOutputObject;
}

/** Formats the members that the results of all searches share. */
export function formatResult(
  result: SearchResult,
  { query, entitiesAsObjects, filters, fieldsOf, page }: HitView,
): JsonOutputObject {
  const matches = result.hits.map(({ urn, values }) =>
    matchedFields(query, values, fieldsOf(urn)).map(({ name, value }) => ({ name, value })),
  );
  return {
    numEntities: result.total,
    ...page,
    entities: result.hits.map(({ urn, score }, at) =>
      entitiesAsObjects ? { entity: urn, matchedFields: matches[at] ?? [], score } : urn,
    ),
    metadata: toMetadata(result, matches, filters),
  };
}

function toMetadata(
  result: SearchResult,
  matches: readonly JsonOutput[],
  filters: ReadonlyMap<string, string>,
): JsonOutputObject {
  const facets = result.facets.filter(({ counts }) => counts.length > 0);
  const toCounts = (counts: (typeof facets)[number]['counts']): JsonOutputObject =>
    Object.fromEntries(counts.map(({ value, count }) => [value, count]));
  return {
    urns: result.hits.map(({ urn }) => urn),
    matches: matches.map((fields) => ({ matchedFields: fields })),
    searchResultMetadatas: facets.map(({ field, counts }) => ({
      name: field,
      aggregations: toCounts(counts),
    })),
    aggregations: facets.map(({ field, counts }) => ({
      name: field,
      displayName: filters.get(field) ?? field,
      aggregations: toCounts(counts),
      filterValues: counts.map(({ value, count }) => ({
        value,
        ...(value.startsWith('urn:') ? { entity: value } : {}),
        facetCount: count,
      })),
    })),
    suggestions: [],
  };
}
