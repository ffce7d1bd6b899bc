import { isJsonObject, parseJson, stringifyJson } from '@stratalog/json';
import { resolveType, resolveTypes, searchEntities, type SearchDeps } from '@stratalog/stages-query';
import type { JudgedQuery } from '../queries/read-queries';

/** Hits that are read, so that a late answer has a rank. */
const HITS = 50;

/** Asks one query as a search of one type or of all types does; returns the urns of the hits, in order. */
export async function askCatalog(
  deps: SearchDeps,
  { ask, in: type }: Pick<JudgedQuery, 'ask' | 'in'>,
): Promise<readonly string[]> {
  const { body } = await searchEntities(deps, {
    entityTypes: type === 'all' ? resolveTypes(deps) : [resolveType(deps, type)],
    input: ask,
    start: 0,
    count: HITS,
    entitiesAsObjects: false,
    relaxOptions: { correctsSpelling: true },
    skipsMatchedFields: true,
    selected: new Map(),
    report: () => undefined,
  });
  const answer = parseJson(stringifyJson(body));
  const entities = isJsonObject(answer) ? answer.entities : [];
  return Array.isArray(entities) ? entities.map(String) : [];
}
