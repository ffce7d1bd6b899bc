import {
  UnavailableError,
  distance,
  parseUrn,
  type JsonOutput,
  type JsonOutputObject,
  type NoteUnknown,
  type PartitionSequences,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/model';
import type { AspectStore, SearchIndex, SearchIndexVersions } from '@stratalog/ports';
import type { EntityRegistry, EntityType } from '@stratalog/registry';
import { matchedFields, parseQuery } from '@stratalog/search-text';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { chooseFacets, type FacetOptions } from './choose-facets';
import { readDisplayNames } from './display-names';
import { firstOfEach } from './first-of-each';
import { countFacets, formatFacets, urnsIn } from './format-facets';
import { limitFacetFilters, rejectCostly, rejectManyValues } from './search-cost';

export interface SearchDeps {
  readonly store: AspectStore;
  readonly searchIndexes: SearchIndexVersions;
  readonly registry: EntityRegistry;
}

export interface SearchQueryParameters extends SearchedBy {
  readonly start: number;
  readonly count: number;
}

/** An answer from an index, with the position of the index. */
export interface IndexAnswer {
  readonly body: JsonOutput;
  /** The position that the answer reflects. */
  readonly position: PartitionSequences;
  /** Number of changes in the store that the answer does not reflect. */
  readonly lag: number;
}

/** What a search asks for, on one page or on many. */
export interface SearchedBy extends FilterAndSort {
  readonly entityTypes: readonly EntityType[];
  readonly input: string;
  /** Absent: no facets. */
  readonly facets?: FacetOptions;
  /** True: each entity is an object `{entity, matchedFields, score}`; false: a urn. */
  readonly entitiesAsObjects: boolean;
  /** True: the answer does not say which fields matched. */
  readonly skipsMatchedFields: boolean;
  /** Takes the names of facets that no searched type has. */
  readonly note: NoteUnknown;
}

/**
 * Searches the latest state of entities of the given types.
 *
 * **Shape**: the contract's search result; `metadata` carries the older and the newer form side by side.
 *
 * **Errors**: `UnavailableError` while the first index is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export async function searchEntities(
  deps: SearchDeps,
  { start, count, ...searched }: SearchQueryParameters,
): Promise<IndexAnswer> {
  const { answered, members } = await findMatches(deps, searched, { start, count });
  const { numEntities, ...rest } = members;
  return toAnswer(answered, { numEntities, pageSize: count, from: start, ...rest });
}

/** The members that the results of all searches share. */
export interface Matches {
  readonly answered: IndexedResult;
  readonly members: JsonOutputObject;
}

/** Finds one page of the matches of a search, with facets. */
export async function findMatches(
  deps: SearchDeps,
  {
    entityTypes,
    input,
    facets,
    entitiesAsObjects,
    skipsMatchedFields,
    selected,
    note,
    ...options
  }: SearchedBy,
  page: Pick<SearchRequest, 'start' | 'count' | 'after'>,
): Promise<Matches> {
  const fields = new Map(entityTypes.map(({ name, searchFields }) => [name, searchFields]));
  const query = parseQuery(input, firstOfEach([...fields.values()]));
  const chosen =
    facets === undefined ? [] : chooseFacets(entityTypes, facets, { ...options, selected }, note);
  const answered = await queryIndex(deps, {
    ...options,
    ...page,
    entityTypes: [...fields.keys()],
    query,
    facets: chosen.flatMap(({ requests }) => requests),
    facetLimit: facets?.limit ?? 0,
  });
  const { result, index } = answered;
  const counted = countFacets(chosen, result.facets);
  const matches = result.hits.map(({ urn, values }) =>
    skipsMatchedFields
      ? []
      : matchedFields(query, values, fields.get(typeNameIn(urn)) ?? new Map()).map(({ name, value }) => ({
          name,
          value,
        })),
  );
  const members = {
    numEntities: result.total,
    entities: result.hits.map(({ urn, score }, at) =>
      entitiesAsObjects ? { entity: urn, matchedFields: matches[at] ?? [], score } : urn,
    ),
    metadata: {
      urns: result.hits.map(({ urn }) => urn),
      matches: matches.map((found) => ({ matchedFields: found })),
      ...formatFacets(counted, await readDisplayNames(index, urnsIn(counted))),
      suggestions: [],
    },
  };
  return { answered, members };
}

function typeNameIn(urn: string): string {
  const parsed = parseUrn(urn);
  return 'urn' in parsed ? parsed.urn.entityType : '';
}

/** The live index's result for a request, and its lag behind the store. */
export interface IndexedResult {
  readonly index: SearchIndex;
  readonly result: SearchResult;
  readonly position: PartitionSequences;
  readonly lag: number;
}

/**
 * Queries the live index.
 *
 * **Errors**: those of `rejectCostly` and `rejectManyValues`; `UnavailableError` while the first index is being built.
 */
export async function queryIndex(
  { searchIndexes, store }: SearchDeps,
  request: SearchRequest,
): Promise<IndexedResult> {
  rejectCostly(request);
  rejectManyValues(request);
  const index = await searchIndexes.live();
  if (index === undefined) throw new UnavailableError('The search index is being built');
  const result = await index.search({ ...request, facets: limitFacetFilters(request) });
  return { index, result, position: result.position, lag: distance(result.position, await store.head()) };
}

export function toAnswer({ position, lag }: IndexedResult, body: JsonOutput): IndexAnswer {
  return { body, position, lag };
}
