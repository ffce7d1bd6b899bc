import type { JsonOutput } from '@stratalog/model';
import { entityTypeNamed, type EntityType } from '@stratalog/registry';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { toAnswer, askIndex, type Found, type IndexAnswer, type SearchDeps } from './search-entities';

export interface IndexListQuery extends FilterAndSort {
  readonly entityType: EntityType;
  readonly start: number;
  readonly count: number;
}

/**
 * The urns of one entity type that pass a filter, or all; those that are hidden are not among them unless they are asked for.
 *
 * **Shape**: `{entities, start, count, total}`; `count` is the one that was asked for.
 *
 * **Errors**: `UnavailableError` while the first index is being built.
 *
 * **Source**: entity and aspect behaviour, section 2.3.
 */
export async function listEntities(parts: SearchDeps, question: IndexListQuery): Promise<IndexAnswer> {
  const { start, count } = question;
  const found = await findAll(parts, question);
  const { hits, total } = found.result;
  return toAnswer(found, { entities: hits.map(({ urn }) => urn), start, count, total });
}

/**
 * How many entities of a type a search for everything finds.
 *
 * **Errors**: `InvalidRequestError` for an unknown entity type; `UnavailableError` while the first index is being built.
 */
export async function countEntities(parts: SearchDeps, entity: string): Promise<IndexAnswer> {
  const entityType = entityTypeNamed(parts.registry, entity);
  const found = await findAll(parts, { entityType, start: 0, count: 0 });
  return toAnswer(found, found.result.total);
}

/** The same of several types, each under the name by which it was asked for. */
export async function countEntitiesOfTypes(
  parts: SearchDeps,
  entities: readonly string[],
): Promise<IndexAnswer> {
  const counts: Record<string, JsonOutput> = {};
  let last: IndexAnswer = { body: {}, position: new Map(), lag: 0 };
  for (const entity of new Set(entities)) {
    last = await countEntities(parts, entity);
    counts[entity] = last.body;
  }
  return { ...last, body: counts };
}

function findAll(parts: SearchDeps, { entityType, ...asked }: IndexListQuery): Promise<Found> {
  return askIndex(parts, {
    ...asked,
    entityTypes: [entityType.name],
    query: { kind: 'all' },
    facets: [],
    facetLimit: 0,
  });
}
