import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { one, present } from '../../app/search-parameters';

interface DomainSearch {
  /** What to search for within the domain. */
  readonly q?: string | undefined;
  readonly preview?: string | undefined;
}

function readSearch({ q, preview }: Record<string, unknown>): DomainSearch {
  return present({ q: one(q), preview: one(preview) });
}

export const domainsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/domains',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./domains-page'), 'DomainsPage'),
});

export const domainRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/domains/$urn',
  validateSearch: readSearch,
  component: lazyRouteComponent(() => import('./domains-page'), 'DomainsPage'),
});
