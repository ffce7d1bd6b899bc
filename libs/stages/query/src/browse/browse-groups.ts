import {
  browseFacet,
  browseFilterField,
  listedAt,
  within,
  type SearchFilter,
  type SearchRequest,
} from '@stratalog/domain';
import { toFilterToken } from '@stratalog/search-text';
import { queryIndex, type IndexedResult, type SearchDeps } from '../search/query-index';
import { computeDepth, type BrowseField } from './folder';

/** Most folders that are listed below one. */
const MAX_GROUPS = 2_000;

export type BrowsedEntities = Pick<SearchRequest, 'entityTypes' | 'query' | 'filter' | 'includesSoftDeleted'>;

/** A folder below the requested one. */
interface BrowseGroup {
  /** The folder's own step. */
  readonly name: string;
  readonly folder: string;
  /** Number of entities in it, at any depth. */
  readonly count: number;
  readonly hasSubGroups: boolean;
}

export interface BrowseGroups {
  readonly answered: IndexedResult;
  /** The largest first, then by name. */
  readonly groups: readonly BrowseGroup[];
  /** Number of entities in all of them. */
  readonly total: number;
}

/** Lists the folders below one, with the number of matching entities in each. */
export async function listGroups(
  deps: SearchDeps,
  { name: field, separator }: BrowseField,
  folder: string,
  entities: BrowsedEntities,
): Promise<BrowseGroups> {
  const depth = computeDepth(folder, separator);
  const answered = await queryIndex(deps, {
    ...entities,
    filter: inFolder(field, within(folder), entities.filter),
    start: 0,
    count: 0,
    facets: [{ fields: [browseFacet(field, depth + 1)] }, { fields: [browseFacet(field, depth + 2)] }],
    facetLimit: MAX_GROUPS,
  });
  const [below, furtherBelow] = answered.result.facets.map(({ counts }) =>
    counts.map(({ values: [path = ''], count }) => ({ path, count })),
  );
  const parents = new Set(furtherBelow?.map(({ path }) => path.slice(0, path.lastIndexOf(separator))));
  const beginning = folder + separator;
  // An entity with several paths brings the folders of its other paths too.
  const groups = (below ?? [])
    .filter(({ path }) => path.startsWith(beginning))
    .map(({ path, count }) => ({
      name: path.slice(beginning.length),
      folder: path,
      count,
      hasSubGroups: parents.has(path),
    }));
  return { answered, groups, total: answered.result.total };
}

/** Finds the entities that a folder lists itself, ordered by urn. */
export function listEntitiesAt(
  deps: SearchDeps,
  { name: field }: BrowseField,
  folder: string,
  { start, count, ...entities }: BrowsedEntities & Pick<SearchRequest, 'start' | 'count'>,
): Promise<IndexedResult> {
  return queryIndex(deps, {
    ...entities,
    filter: inFolder(field, listedAt(folder), entities.filter),
    order: [],
    start,
    count,
    facets: [],
    facetLimit: 0,
  });
}

/** Adds the place to every list of a filter. */
function inFolder(field: string, place: string, filter: SearchFilter = [[]]): SearchFilter {
  const criterion = {
    condition: 'equal',
    fields: [browseFilterField(field)],
    negated: false,
    anyOf: [toFilterToken(place)],
  } as const;
  return filter.map((criteria) => [criterion, ...criteria]);
}
