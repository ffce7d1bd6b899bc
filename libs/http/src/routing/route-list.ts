import { createHash } from 'node:crypto';
import type { DocumentedRoute } from './documented-routes';

/** What each process knows of a route, whichever serves it. */
export type ListedRoute = Pick<
  DocumentedRoute,
  'method' | 'path' | 'otherPaths' | 'action' | 'app' | 'isLong'
>;

/** The names of all routes of a catalog. */
export interface RouteList {
  readonly routes: readonly ListedRoute[];
  /** Differs when any part of a definition does, its documentation included. **Shape**: hex digits. */
  readonly digest: string;
}

/** Reduces routes to what rejections, links and the proxy need of them. */
export function listRoutes(routes: readonly DocumentedRoute[]): RouteList {
  return {
    routes: routes.map(({ method, path, otherPaths, action, app, isLong }) => ({
      method,
      path,
      otherPaths,
      app,
      ...(action === undefined ? {} : { action }),
      ...(isLong === undefined ? {} : { isLong }),
    })),
    digest: createHash('sha256').update(JSON.stringify(routes)).digest('hex'),
  };
}
