import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';

/** The page of an entity: the header, and below it the tab of the address. */
export const entityRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/e/$urn',
  component: lazyRouteComponent(() => import('./entity-page'), 'EntityPage'),
});

const overviewRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./overview/overview-tab'), 'OverviewTab'),
});

const jsonRoute = createRoute({
  getParentRoute: () => entityRoute,
  path: 'json',
  component: lazyRouteComponent(() => import('./json/json-tab'), 'JsonTab'),
});

/** The tabs of the page: a new one adds its route here, and its line to `tabs.ts`. */
export const entityRoutes = entityRoute.addChildren([overviewRoute, jsonRoute]);
