import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router';
import { rootRoute } from '../../app/root-route';
import { one, present } from '../../app/search-parameters';

interface BrowseSearch {
  readonly type?: string | undefined;
  readonly page?: string | undefined;
  /** Urn of the entity beside the list. */
  readonly preview?: string | undefined;
}

const browseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/browse',
  beforeLoad: ({ location }) => {
    if (!/\/browse\/?$/.test(location.pathname)) return;
    redirect({ to: '/browse/paths/$', params: { _splat: '' }, throw: true });
  },
});

const pathsRoute = createRoute({
  getParentRoute: () => browseRoute,
  path: 'paths/$',
  validateSearch: ({ type, page, preview }: Record<string, unknown>): BrowseSearch =>
    present({ type: one(type), page: one(page), preview: one(preview) }),
  component: lazyRouteComponent(() => import('./paths-page'), 'PathsPage'),
});

const platformsRoute = createRoute({
  getParentRoute: () => browseRoute,
  path: 'platforms',
  component: lazyRouteComponent(() => import('./platforms-page'), 'PlatformsPage'),
});

/** All entities by their folders, and by their platforms. */
export const browseRoutes = browseRoute.addChildren([pathsRoute, platformsRoute]);
