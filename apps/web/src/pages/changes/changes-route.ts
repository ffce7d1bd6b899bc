import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { one, present } from '../../app/search-parameters';

export interface ChangesSearch {
  readonly type?: string | undefined;
  /** The urn of who made them. */
  readonly by?: string | undefined;
  /** Days of the browser's time zone, both included: `2026-01-19`. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export const changesRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/changes',
  validateSearch: (search: Record<string, unknown>): ChangesSearch =>
    present({ type: one(search.type), by: one(search.by), from: one(search.from), to: one(search.to) }),
  component: lazyRouteComponent(() => import('./changes-page'), 'ChangesPage'),
});
