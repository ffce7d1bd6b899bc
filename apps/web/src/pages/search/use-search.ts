import { useQueries } from '@tanstack/react-query';
import { callOptions, useCall } from '../../data/use-call';
import {
  EVERY_FACET,
  chosenIn,
  facetsOfType,
  toFilter,
  type Chosen,
  type Facet,
  type SearchRequest,
  type ShownFacet,
} from './facets';

const ACROSS = 'POST /entities?action=searchAcrossEntities';
export const PAGE_SIZE = 20;
/** A search ends here; see the limits of the interface. */
const LAST_PAGE = 500;

export const SORTS = {
  best: { label: 'Best match' },
  name: { label: 'Name', by: { field: 'name', order: 'ASCENDING' } },
  changed: { label: 'Last changed', by: { field: 'lastModifiedAt', order: 'DESCENDING' } },
} as const;
export type SortName = keyof typeof SORTS;

export function readSort(sort: string | undefined): SortName {
  return sort === 'name' || sort === 'changed' ? sort : 'best';
}

export function readPage(page: string | undefined): number {
  const number = Number(page ?? '1');
  return Number.isInteger(number) && number >= 1 && number <= LAST_PAGE ? number : 1;
}

interface Search {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly page?: string | undefined;
}

/** The search of an address: its answer, the chosen values, and the facets with their counts. */
export function useSearch(search: Search) {
  const chosen = chosenIn(search as Readonly<Record<string, unknown>>);
  const ofType = useFacetsOfType(chosen);
  const shown = [...EVERY_FACET, ...ofType];
  const sort = SORTS[readSort(search.sort)];
  const request: SearchRequest = {
    input: search.q ?? '*',
    start: (readPage(search.page) - 1) * PAGE_SIZE,
    count: PAGE_SIZE,
    facets: shown.map(({ field }) => field),
    searchFlags: { cards: true, correctSpelling: true, fragments: true, maxAggValues: 50 },
    filter: toFilter(chosen),
    ...('by' in sort ? { sort: sort.by } : {}),
  };
  const found = useCall(ACROSS, request, { keepsFormer: true });
  const facets = useOwnCounts(request, chosen);
  const values = (field: string): Facet['filterValues'] =>
    (facets.get(field) ?? found.data?.metadata.aggregations.find(({ name }) => name === field))?.filterValues;
  return { found, chosen, facets: shown.map((facet) => ({ ...facet, counted: values(facet.field) ?? [] })) };
}

/** The counts of the facets that have a choice, each without its own. */
function useOwnCounts(request: SearchRequest, chosen: readonly Chosen[]): ReadonlyMap<string, Facet> {
  return useQueries({
    queries: chosen.map(({ field }) => ({
      ...callOptions(ACROSS, {
        ...request,
        start: 0,
        count: 0,
        facets: [field],
        filter: toFilter(chosen, field),
      }),
      placeholderData: (former: unknown) => former as never,
    })),
    combine: (results) =>
      new Map(
        results.flatMap(({ data }, at) => {
          const facet = data?.metadata.aggregations.find(({ name }) => name === chosen[at]?.field);
          return facet === undefined ? [] : [[facet.name, facet] as const];
        }),
      ),
  });
}

/** One chosen type has facets of its own, as its model says. */
function useFacetsOfType(chosen: readonly Chosen[]): readonly ShownFacet[] {
  const types = chosen.find(({ field }) => field === '_entityType')?.values ?? [];
  const [name = ''] = types;
  const { data } = useCall(
    'GET /models/entities/:name',
    { name },
    { isWanted: types.length === 1, isLasting: true },
  );
  return types.length === 1 && data !== undefined ? facetsOfType(data.filters) : [];
}
