import {
  UnavailableError,
  distance,
  type JsonOutput,
  type JsonOutputObject,
  type PartitionOffsets,
  type SearchResult,
} from '@stratalog/model';
import type { AspectStore, SearchIndexes } from '@stratalog/ports';
import { type EntityRegistry, entityTypeNamed } from '@stratalog/registry';
import { matchedFields, parseQuery } from '@stratalog/search-text';

export interface SearchParts {
  readonly store: AspectStore;
  readonly searchIndexes: SearchIndexes;
  readonly registry: EntityRegistry;
}

export interface SearchQuestion {
  readonly input: string;
  readonly entity: string;
  readonly start: number;
  readonly count: number;
  /** True: each entity is an object `{entity, matchedFields, score}`; false: a urn. */
  readonly entitiesAsObjects: boolean;
}

/** What an index answers, and how new it was. */
export interface IndexAnswer {
  readonly body: JsonOutput;
  /** The position that the answer reflects. */
  readonly position: PartitionOffsets;
  /** How many changes of the store it does not reflect. */
  readonly lag: number;
}

const FACETS = ['platform'];
const FACET_LIMIT = 20;

/**
 * Searches the latest state of one entity type.
 *
 * **Shape**: the contract's search result; `metadata` carries the older and the newer form side by side.
 *
 * **Errors**: `InvalidRequestError` for an unknown entity type; `UnavailableError` while the first index is being built.
 *
 * **Source**: contract, `POST /entities?action=search`; operations and search behaviour, sections 3.4 to 3.9.
 */
export async function searchEntities(parts: SearchParts, question: SearchQuestion): Promise<IndexAnswer> {
  const entityType = entityTypeNamed(parts.registry, question.entity);
  const index = await parts.searchIndexes.live();
  if (index === undefined) throw new UnavailableError('The search index is being built');
  const query = parseQuery(question.input, entityType.searchFields);
  const { start, count } = question;
  const result = await index.search({
    entityTypes: [entityType.name],
    query,
    start,
    count,
    facets: FACETS,
    facetLimit: FACET_LIMIT,
  });
  const matches = result.hits.map((hit) =>
    matchedFields(query, hit.values, entityType.searchFields).map(({ name, value }) => ({ name, value })),
  );
  const body = {
    numEntities: result.total,
    pageSize: count,
    from: start,
    entities: result.hits.map((hit, at) =>
      question.entitiesAsObjects
        ? { entity: hit.urn, matchedFields: matches[at] ?? [], score: hit.score }
        : hit.urn,
    ),
    metadata: metadataOf(result, matches, entityType.filters),
  };
  return { body, position: result.position, lag: distance(result.position, await parts.store.head()) };
}

function metadataOf(
  result: SearchResult,
  matches: readonly JsonOutput[],
  filters: ReadonlyMap<string, string>,
): JsonOutputObject {
  const facets = result.facets.filter(({ counts }) => counts.length > 0);
  const countsOf = (counts: (typeof facets)[number]['counts']): JsonOutputObject =>
    Object.fromEntries(counts.map(({ value, count }) => [value, count]));
  return {
    urns: result.hits.map(({ urn }) => urn),
    matches: matches.map((fields) => ({ matchedFields: fields })),
    searchResultMetadatas: facets.map(({ field, counts }) => ({
      name: field,
      aggregations: countsOf(counts),
    })),
    aggregations: facets.map(({ field, counts }) => ({
      name: field,
      displayName: filters.get(field) ?? field,
      aggregations: countsOf(counts),
      filterValues: counts.map(({ value, count }) => ({
        value,
        ...(value.startsWith('urn:') ? { entity: value } : {}),
        facetCount: count,
      })),
    })),
    suggestions: [],
  };
}
