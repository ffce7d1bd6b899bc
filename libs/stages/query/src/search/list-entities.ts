import type { IndexedAnswer } from '@stratalog/indexing';
import type { JsonOutput } from '@stratalog/json';
import { entityTypeNamed, type EntityType } from '@stratalog/registry';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { toAnswer, queryIndex, type IndexedResult, type SearchDeps } from './query-index';

export interface IndexListQuery extends Omit<FilterAndSort, 'selected'> {
  readonly entityType: EntityType;
  readonly start: number;
  readonly count: number;
}

/**
 * Lists the urns of one entity type, or those that pass a filter. Soft-deleted entities are excluded by default.
 *
 * **Shape**: `{entities, start, count, total}`; `count` is that of the request.
 *
 * **Errors**: `UnavailableError` while the first index is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Reading.
 */
export async function listEntities(deps: SearchDeps, query: IndexListQuery): Promise<IndexedAnswer> {
  const { start, count } = query;
  const answered = await findAll(deps, query);
  const { hits, total } = answered.result;
  return toAnswer(answered, { entities: hits.map(({ urn }) => urn), start, count, total });
}

/**
 * Counts the entities of a type that a search for everything finds.
 *
 * **Errors**: `InvalidRequestError` for an unknown entity type; `UnavailableError` while the first index is being
 * built.
 */
export async function countEntities(deps: SearchDeps, entity: string): Promise<IndexedAnswer> {
  const entityType = entityTypeNamed(deps.registry, entity);
  const answered = await findAll(deps, { entityType, start: 0, count: 0 });
  return toAnswer(answered, answered.result.total);
}

/** Counts the entities of several types, keyed by the requested names. */
export async function countEntitiesOfTypes(
  deps: SearchDeps,
  entities: readonly string[],
): Promise<IndexedAnswer> {
  const counts: Record<string, JsonOutput> = {};
  const position = (await (await deps.searchIndexes.live())?.position()) ?? new Map<number, number>();
  let last: IndexedAnswer = { body: {}, position, lag: 0 };
  for (const entity of new Set(entities)) {
    last = await countEntities(deps, entity);
    counts[entity] = last.body;
  }
  return { ...last, body: counts };
}

function findAll(deps: SearchDeps, { entityType, ...page }: IndexListQuery): Promise<IndexedResult> {
  return queryIndex(deps, {
    ...page,
    entityTypes: [entityType.name],
    query: { kind: 'all' },
    facets: [],
    facetLimit: 0,
  });
}
