import { RequestMethod, type Type } from '@nestjs/common';
import type { Access } from '../access/authenticator';
import { readRouteFacts, type RouteFacts } from './route.decorators';
import type { RouteDocs } from './route-docs';
import type { ServedRoute } from './route-table';

/** A route as its controller declares it, with its documentation. */
export interface DocumentedRoute extends ServedRoute {
  /** Further paths of the same route, which omit some of the parameters of `path`. */
  readonly otherPaths: readonly string[];
  readonly access: Access;
  readonly dialect?: NonNullable<RouteFacts['dialect']>;
  readonly docs: RouteDocs;
}

/** The metadata keys under which Nest stores the arguments of `@Controller`, `@Get` and the like. */
const PATH = 'path';
const METHOD = 'method';

/**
 * Returns the documented routes of controllers, in their order, whether this process serves them or another
 * one.
 *
 * **Errors**: a route without `@Documented` is left out; a spec compares with the served routes.
 */
export function documentedRoutes(controllers: readonly Type[]): readonly DocumentedRoute[] {
  return controllers.flatMap((controller) =>
    methodsOf(controller as Type<object>).flatMap((method) => {
      const { docs, ...facts } = readRouteFacts(method);
      const verb = Reflect.getMetadata(METHOD, method) as RequestMethod | undefined;
      const [path, ...otherPaths] = listPaths(controller, method);
      if (docs === undefined || verb === undefined || path === undefined) return [];
      return {
        access: 'ordinary',
        ...facts,
        method: RequestMethod[verb],
        path,
        otherPaths,
        docs,
      };
    }),
  );
}

/** Returns the routes one by one, each under each of its paths. */
export function everyPath(routes: readonly DocumentedRoute[]): readonly DocumentedRoute[] {
  return routes.flatMap((route) => [route, ...route.otherPaths.map((path) => ({ ...route, path }))]);
}

function methodsOf({ prototype }: Type<object>): readonly object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) =>
    typeof value === 'function' ? [value as object] : [],
  );
}

/** The path with the most parameters comes first, because it is the most specific. */
function listPaths(controller: Type, method: object): readonly string[] {
  const [outer, inner] = [controller, method].map((target) =>
    [(Reflect.getMetadata(PATH, target) as string | string[] | undefined) ?? ''].flat(),
  );
  const paths = (inner ?? []).flatMap((end) => (outer ?? []).map((start) => joined(start, end)));
  const parameters = (path: string): number => path.split(':').length;
  return paths.sort((one, other) => parameters(other) - parameters(one));
}

function joined(start: string, end: string): string {
  return `/${`${start}/${end}`
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}
