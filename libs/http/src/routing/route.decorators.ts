import { applyDecorators, HttpCode, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig, RouteConstraints } from '@nestjs/platform-fastify';
import type { DefinedRoute } from './define-route';

const ROUTE = 'stratalog:route';

/**
 * Mounts a route on a method, whose first argument is `@Parameters()` when the route has parameters. The method's result
 * becomes the answer, of an action as `{"value": result}`; `undefined` is an empty body. Several modules may contribute
 * actions of one resource; two with the same name fail the start.
 */
export function Route<Parameters>(route: DefinedRoute<Parameters>) {
  return <Handler extends (parameters: Parameters, ...others: never[]) => unknown>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    const { method, paths, action } = route;
    Reflect.defineMetadata(ROUTE, route, descriptor.value as object);
    applyDecorators(
      RequestMapping({ method: RequestMethod[method], path: [...paths] }),
      HttpCode(200),
      ...(action === undefined ? [] : [RouteConstraints({ action })]),
      RouteConfig(route),
    )(target, key, descriptor);
  };
}

/** Returns the route that a method serves. */
export function readRoute(method: object): DefinedRoute | undefined {
  return Reflect.getMetadata(ROUTE, method) as DefinedRoute | undefined;
}
