import { RequestMethod, type Type } from '@nestjs/common';
import type { Access } from './authenticator';
import { routeDocsOf, routeFactsOf } from './route.decorators';
import type { RouteDocs } from './route-docs';
import type { ServedRoute } from './route-table';

/** A route as its controller declares it, with what people are told about it. */
export interface DocumentedRoute extends ServedRoute {
  readonly access: Access;
  readonly docs: RouteDocs;
}

/** The names under which Nest keeps what `@Controller`, `@Get` and its like say. */
const PATH = 'path';
const METHOD = 'method';

/**
 * The documented routes of controllers, in their order, whether this process serves them or another one.
 *
 * **Errors**: a route without `@Documented` is left out; a spec compares with what is served.
 */
export function documentedRoutes(controllers: readonly Type[]): readonly DocumentedRoute[] {
  return controllers.flatMap((controller) =>
    methodsOf(controller as Type<object>).flatMap((method) => {
      const docs = routeDocsOf(method);
      const verb = Reflect.getMetadata(METHOD, method) as RequestMethod | undefined;
      if (docs === undefined || verb === undefined) return [];
      const { action, access = 'ordinary' } = routeFactsOf(method);
      return {
        method: RequestMethod[verb],
        path: pathOf(controller, method),
        ...(action === undefined ? {} : { action }),
        access,
        docs,
      };
    }),
  );
}

function methodsOf({ prototype }: Type<object>): readonly object[] {
  return Object.values(Object.getOwnPropertyDescriptors(prototype)).flatMap(({ value }) =>
    typeof value === 'function' ? [value as object] : [],
  );
}

function pathOf(controller: Type, method: object): string {
  const parts = [controller, method].map((target) => Reflect.getMetadata(PATH, target) as string);
  return `/${parts
    .flatMap((part) => part.split('/'))
    .filter((part) => part !== '')
    .join('/')}`;
}
