import { ROUTE_LIST } from '@stratalog/api-docs/route-list';
import { everyPath, type ListedRoute } from '@stratalog/http';
import type { App } from '@stratalog/runtime';

/** Optional prefixes of every path. */
const PREFIX = /^\/(?:api\/)?gms(?=\/|$)/;
const SLASHES_AT_END = /\/+$/;

/** All routes of the catalog by their resource, the first part of their paths. */
const ROUTES: ReadonlyMap<string, readonly ListedRoute[]> = groupByResource(everyPath(ROUTE_LIST.routes));

/**
 * Returns the app that serves a request. A request that no route matches goes to an app of its resource, which rejects
 * it with the list of actions; one for an unknown resource goes to the query app.
 *
 * `target` is the request target as it was sent, and `method` the one that the request is routed by.
 */
export function appFor(target: string, method: string): App {
  return findRoute(target, method)?.app ?? 'query';
}

/** True when a valid request may take minutes. */
export function isLong(target: string, method: string): boolean {
  return findRoute(target, method)?.isLong ?? false;
}

function findRoute(target: string, method: string): ListedRoute | undefined {
  const [path = '', query = ''] = target.split('?', 2);
  const own = path.replace(PREFIX, '').replace(SLASHES_AT_END, '');
  const ofResource = ROUTES.get(readResource(own)) ?? [];
  const atPath = ofResource.filter((route) => fits(route.path, own));
  const wanted = method === 'HEAD' ? 'GET' : method;
  const ofMethod = atPath.filter((route) => route.method === wanted || route.method === 'ALL');
  const routes = [ofMethod, atPath, ofResource].find(({ length }) => length > 0) ?? [];
  const action = new URLSearchParams(query).get('action') ?? undefined;
  const isAlike = (route: ListedRoute): boolean => (route.action === undefined) === (action === undefined);
  return (
    routes.find((route) => route.path === own && route.action === action) ??
    routes.find((route) => route.action === action) ??
    routes.find(isAlike) ??
    routes[0]
  );
}

/** True when a path is of the form of a route, whose parts with a colon stand for any part. A urn at the end may have slashes. */
function fits(pattern: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = pattern.split('/');
  const isLongUrn = pattern.endsWith('/:urn') && parts.length > wanted.length;
  return (
    (parts.length === wanted.length || isLongUrn) &&
    wanted.every((each, at) => (each.startsWith(':') ? parts[at] !== '' : each === parts[at]))
  );
}

function groupByResource(routes: readonly ListedRoute[]): ReadonlyMap<string, readonly ListedRoute[]> {
  const groups = new Map<string, ListedRoute[]>();
  for (const route of routes) {
    const resource = readResource(route.path);
    const group = groups.get(resource);
    if (group === undefined) groups.set(resource, [route]);
    else group.push(route);
  }
  return groups;
}

function readResource(path: string): string {
  return path.split('/', 2)[1] ?? '';
}
