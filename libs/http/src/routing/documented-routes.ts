import type { Type } from '@nestjs/common';
import type { Access } from '../access/authenticator';
import type { DefinedRoute } from './define-route';
import { readRoute } from './route.decorators';
import type { RouteDocs } from './route-docs';
import type { ServedRoute } from './route-table';

/** A route as it is defined, with its documentation. */
export interface DocumentedRoute
  extends ServedRoute, Pick<DefinedRoute, 'app' | 'writes' | 'effect' | 'isLong' | 'dialect' | 'listBody'> {
  /** Further paths of the same route, which omit some of the parameters of `path`. */
  readonly otherPaths: readonly string[];
  readonly access: Access;
  readonly docs: RouteDocs;
}

/**
 * Returns the documented routes of controllers, in their order, whether this process serves them or another
 * one.
 */
export function documentedRoutes(controllers: readonly Type[]): readonly DocumentedRoute[] {
  return controllers.flatMap((controller) =>
    methodsOf(controller as Type<object>).flatMap((method) => {
      const route = readRoute(method);
      return route === undefined ? [] : describeRoute(route);
    }),
  );
}

/** Returns the routes one by one, each under each of its paths. */
export function everyPath<Each extends Pick<DocumentedRoute, 'path' | 'otherPaths'>>(
  routes: readonly Each[],
): readonly Each[] {
  return routes.flatMap((route) => [route, ...route.otherPaths.map((path) => ({ ...route, path }))]);
}

function methodsOf({ prototype }: Type<object>): readonly object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) =>
    typeof value === 'function' ? [value as object] : [],
  );
}

function describeRoute({
  paths,
  docs,
  access = 'ordinary',
  ...facts
}: DefinedRoute): readonly DocumentedRoute[] {
  if (docs === undefined) return [];
  const countParameters = (path: string): number => path.split(':').length;
  // The path with the most parameters comes first, because it is the most specific.
  const [path = '', ...otherPaths] = paths
    .map((each) => `/${each}`)
    .sort((one, other) => countParameters(other) - countParameters(one));
  return [{ ...facts, access, path, otherPaths, docs }];
}
