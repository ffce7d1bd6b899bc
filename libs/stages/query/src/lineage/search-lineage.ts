import type { IndexedAnswer } from '@stratalog/indexing';
import { listPaths, liveGraph, readLineage, type LineageNode, type LineageResult } from '@stratalog/lineage';
import { distance, type PartitionSequences } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { CountedFacet } from '../facets/format-facets';
import { scrollEntities, type ScrollQuery } from '../search/scroll-entities';
import type { ScrollParameter } from '../search/scroll-id';
import { type SearchDeps } from '../search/query-index';
import { countMatches, searchEntities, type SearchedBy } from '../search/search-entities';
import { DEGREE, DEGREES, toDegreeValue, type DegreeValue } from './filter-degrees';
import { MAX_PATHS } from './get-lineage';
import type { Following } from './lineage-parameters';
import { requireLineageUrn } from './lineage-types';
import type { LineageUseCaseDeps } from './open-lineage';

export type LineageSearchDeps = LineageUseCaseDeps & SearchDeps;

/** Which part of lineage to search, and what for. */
export interface LineageSearch {
  readonly urn: string;
  readonly following: Following;
  /** The degrees that the filter selects; absent: all. */
  readonly degrees: readonly DegreeValue[] | undefined;
  readonly searched: SearchedBy;
}

/**
 * Searches the entities that lineage leads to.
 *
 * **Shape**: that of a search; each entity has its degree and paths too, and there is a facet for the degree.
 *
 * **Errors**: those of a search and of `getLineage`.
 *
 * **Source**: `docs/wire-decisions.md`, Lineage.
 */
export async function searchAcrossLineage(
  deps: LineageSearchDeps,
  search: LineageSearch,
  page: { readonly start: number; readonly count: number },
): Promise<IndexedAnswer> {
  const { result, searched } = await toSearched(deps, search, true);
  return withLineage(deps, result, await searchEntities(deps, { ...searched, ...page }));
}

/** Reads one page of all entities that such a search matches. */
export async function scrollAcrossLineage(
  deps: LineageSearchDeps,
  search: LineageSearch,
  page: Pick<ScrollQuery, 'count' | 'scrollId' | 'keepAliveMs'>,
): Promise<IndexedAnswer> {
  const { result, searched } = await toSearched(deps, search, page.scrollId === undefined);
  return withLineage(
    deps,
    result,
    await scrollEntities(deps, { ...searched, ...page, scope: listScope(search) }),
  );
}

/** Lists the parameters that say which lineage is searched. */
function listScope({ urn, following, degrees }: LineageSearch): readonly ScrollParameter[] {
  return [
    ['urn', urn],
    ['direction', following.direction],
    ['maxHops', following.maxHops],
    ['level', following.level],
    ['startTimeMillis', following.fromMs],
    ['endTimeMillis', following.toMs],
    ['entitiesExploredPerHopLimit', following.followedPerHop],
    ['includeSoftDeleted', following.includesSoftDeleted],
    ['includeMissing', following.includesMissing],
    ['filter', degrees],
  ];
}

interface Searched {
  readonly result: LineageResult;
  readonly searched: SearchedBy;
}

/** Reads the lineage, and makes it a condition of the search. */
async function toSearched(
  deps: LineageSearchDeps,
  { urn, following, degrees, searched }: LineageSearch,
  hasFacets: boolean,
): Promise<Searched> {
  requireLineageUrn(deps.registry, urn);
  const includesSoftDeleted = following.includesSoftDeleted || searched.includesSoftDeleted === true;
  const graph = await liveGraph(deps.graphIndexes);
  const { level = 'ENTITY' } = following;
  const result = await readLineage(
    { store: deps.store, graph },
    { ...following, urn, level, includesSoftDeleted },
  );
  const byUrn = new Map(result.nodes.map((node) => [node.urn, node]));
  const { facets, ...rest } = searched;
  const own: SearchedBy = {
    ...rest,
    ...(includesSoftDeleted ? { includesSoftDeleted } : {}),
    entitiesAsObjects: true,
    describe: (hit) => describeNode(result, byUrn, hit),
  };
  const selected = result.nodes.filter(
    ({ degree }) => degrees === undefined || degrees.includes(toDegreeValue(degree)),
  );
  const { names } = facets ?? {};
  const wantsDegrees = hasFacets && facets !== undefined && (names === undefined || names.includes(DEGREE));
  return {
    result,
    searched: {
      ...own,
      urns: selected.map((node) => node.urn),
      ...(facets === undefined
        ? {}
        : {
            facets: {
              ...facets,
              ...(names === undefined ? {} : { names: names.filter((name) => name !== DEGREE) }),
            },
          }),
      ...(wantsDegrees ? { moreFacets: await countDegrees(deps, own, result.nodes, degrees) } : {}),
    },
  };
}

/**
 * Counts the matches of each degree. Like every facet, this one counts without the criteria on its own field, and is left
 * out without a value.
 */
async function countDegrees(
  deps: LineageSearchDeps,
  searched: SearchedBy,
  nodes: readonly LineageNode[],
  selected: readonly DegreeValue[] = [],
): Promise<readonly CountedFacet[]> {
  const values = [];
  for (const value of DEGREES) {
    const urns = nodes.filter(({ degree }) => toDegreeValue(degree) === value).map(({ urn }) => urn);
    const count = urns.length === 0 ? 0 : await countMatches(deps, { ...searched, urns });
    const isSelected = selected.includes(value);
    if (count > 0 || isSelected) values.push({ value, count, isSelected });
  }
  return values.length === 0 ? [] : [{ name: DEGREE, displayName: 'Degree of Dependencies', values }];
}

function describeNode(
  { followed, cutAt }: LineageResult,
  nodes: ReadonlyMap<string, LineageNode>,
  urn: string,
): JsonOutputObject {
  const { degree = 0 } = nodes.get(urn) ?? {};
  const paths = listPaths(nodes, urn, MAX_PATHS);
  return {
    degree,
    degrees: [degree],
    paths,
    path: paths[0] ?? [],
    explored: followed.has(urn),
    ...(cutAt.has(urn) ? { truncatedChildren: true } : {}),
  };
}

/** Adds what the lineage says about the answer, which reflects only what both indices include. */
async function withLineage(
  { store }: LineageSearchDeps,
  { isPartial, position }: LineageResult,
  found: IndexedAnswer,
): Promise<IndexedAnswer> {
  const both = minSequences(found.position, position);
  return {
    body: {
      ...(found.body as JsonOutputObject),
      lineageSearchPath: 'TORTOISE',
      ...(isPartial ? { isPartial } : {}),
    },
    position: both,
    lag: distance(both, await store.readPartitionSequences()),
  };
}

function minSequences(a: PartitionSequences, b: PartitionSequences): PartitionSequences {
  return new Map([...a].map(([partition, seq]) => [partition, Math.min(seq, b.get(partition) ?? 0)]));
}
