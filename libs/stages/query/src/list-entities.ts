import { UnavailableError, distance, type JsonOutput } from '@stratalog/model';
import { entityTypeNamed } from '@stratalog/registry';
import type { ListQuestion } from './look-up-entities';
import type { IndexAnswer, SearchParts } from './search-entities';

/**
 * The urns of one entity type that a search for everything finds: those that are hidden are not among them.
 *
 * **Shape**: `{entities, start, count, total}`; `count` is the one that was asked for.
 *
 * **Errors**: `InvalidRequestError` for an unknown entity type; `UnavailableError` while the first index is being built.
 *
 * **Source**: entity and aspect behaviour, section 2.3.
 */
export async function listEntities(parts: SearchParts, question: ListQuestion): Promise<IndexAnswer> {
  const { start, count } = question;
  const { hits, total, ...found } = await findAll(parts, question);
  return { ...found, body: { entities: hits.map(({ urn }) => urn), start, count, total } };
}

/** How many entities of a type a search for everything finds. **Errors**: as {@link listEntities}. */
export async function countEntities(parts: SearchParts, entity: string): Promise<IndexAnswer> {
  const { total, position, lag } = await findAll(parts, { entity, start: 0, count: 0 });
  return { body: total, position, lag };
}

/** The same of several types, each under the name by which it was asked for. */
export async function countEntitiesOfTypes(
  parts: SearchParts,
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

async function findAll(
  { searchIndexes, registry, store }: SearchParts,
  { entity, start, count }: ListQuestion,
) {
  const { name } = entityTypeNamed(registry, entity);
  const index = await searchIndexes.live();
  if (index === undefined) throw new UnavailableError('The search index is being built');
  const { hits, total, position } = await index.search({
    entityTypes: [name],
    query: { kind: 'all' },
    start,
    count,
    facets: [],
    facetLimit: 0,
  });
  return { hits, total, position, lag: distance(position, await store.head()) };
}
