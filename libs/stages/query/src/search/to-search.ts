import {
  collectUnknownNames,
  speaksProtocol2,
  type DefinedRoute,
  type Input,
  type WireRequest,
} from '@stratalog/http';
import type { EntityType } from '@stratalog/registry';
import { parseFilter, parseFilterAndSort, type FilterAndSort } from '../filters/filter-and-sort';
import type { SearchedBy } from './search-entities';
import { toListingFlags, toSearchFlags } from './search-flags';
import type { SCROLL } from './search.routes';

/** The parameters that all searches share. */
export type SentSearch = Omit<Input<typeof SCROLL>, 'entities' | 'count' | 'scrollId' | 'keepAlive'>;

interface SearchCall extends Pick<DefinedRoute, 'reject'> {
  /** True: a query that matches nothing is relaxed. Calls that read all matches, filter or list take a query at its word. */
  readonly mayRelax?: boolean;
}

/** Resolves the parameters that all searches share against the searched types. */
export function toSearch(
  { input, ...sent }: SentSearch,
  entityTypes: readonly EntityType[],
  request: WireRequest,
  { reject, mayRelax = false }: SearchCall,
): SearchedBy {
  const unknown = collectUnknownNames(request);
  const { includesSoftDeleted, ...flags } = toSearchFlags(sent, { mayRelax, unknown });
  return {
    input,
    entityTypes,
    ...parseFilterAndSort(sent, entityTypes, reject),
    ...(includesSoftDeleted ? { includesSoftDeleted } : {}),
    ...flags,
    entitiesAsObjects: speaksProtocol2(request),
    report: unknown.report,
  };
}

/** Resolves the filter of a call that lists entities without searching them. */
export function toListed(
  { filter, searchFlags }: Pick<SentSearch, 'filter' | 'searchFlags'>,
  entityTypes: readonly EntityType[],
  request: WireRequest,
  { reject }: Pick<DefinedRoute, 'reject'>,
): Omit<FilterAndSort, 'order'> {
  const { includesSoftDeleted } = toListingFlags(searchFlags, {
    unknown: collectUnknownNames(request),
  });
  return {
    ...parseFilter(filter, entityTypes, reject),
    ...(includesSoftDeleted ? { includesSoftDeleted } : {}),
  };
}
