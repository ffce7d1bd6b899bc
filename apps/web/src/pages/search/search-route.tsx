import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { many, one, present, without } from '../../app/search-parameters';

/** What the address of a search says; every other parameter is a facet with its chosen values. */
export interface SearchOfAddress {
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly page?: string | undefined;
  readonly [facet: string]: string | readonly string[] | undefined;
}

export const searchRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/search',
  validateSearch: (search: Record<string, unknown>): SearchOfAddress => {
    const { q, sort, page } = search;
    const facets = without(search, 'q', 'sort', 'page', 'at');
    const chosen = Object.entries(facets).map(([name, values]) => [name, many(values)] as const);
    return { ...Object.fromEntries(chosen), ...present({ q: one(q), sort: one(sort), page: one(page) }) };
  },
  component: lazyRouteComponent(() => import('./search-page'), 'SearchPage'),
});
