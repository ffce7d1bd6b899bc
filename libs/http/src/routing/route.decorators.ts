import { applyDecorators, HttpCode, Post, RequestMapping, RequestMethod } from '@nestjs/common';
import { RouteConfig, RouteConstraints } from '@nestjs/platform-fastify';
import type { Access } from '../access/authenticator';
import type { DefinedRoute } from './define-route';
import type { RouteDocs } from './route-docs';

/** Facts about a route that the transport needs in addition to its path. */
export interface RouteFacts {
  /** Name of the action that the route serves; its answer is wrapped as `{"value": ...}`. */
  readonly action?: string;
  readonly access?: Access;
  /** The dialect of content type and error bodies, when it is not the contract's. */
  readonly dialect?: 'schema-registry';
  /** Accepts bodies up to the configured limit; every other route accepts up to 1 MB. */
  readonly takesLargeBody?: boolean;
  /** The documentation of the route. */
  readonly docs?: RouteDocs;
  readonly inQuery?: DefinedRoute['inQuery'];
  readonly parse?: DefinedRoute['parse'];
}

/**
 * Serves `POST /<resource>?action=<name>`. Several modules may contribute actions of one resource; two with
 * the same name fail the start. The method's result becomes `{"value": result}`, or an empty body when it is
 * `undefined`.
 */
export function Action(resource: string, name: string): MethodDecorator {
  return applyDecorators(
    Post(resource),
    HttpCode(200),
    RouteConstraints({ action: name }),
    routeFacts({ action: name }),
  );
}

/** Opens the route to every caller in every mode, with any token or none. */
export function Public(): MethodDecorator {
  return routeFacts({ access: 'public' });
}

/** The route needs a token unless the mode is `none`. */
export function Administrative(): MethodDecorator {
  return routeFacts({ access: 'administrative' });
}

/** The route writes values: its body may be as large as the settings allow. */
export function LargeBody(): MethodDecorator {
  return routeFacts({ takesLargeBody: true });
}

/** Documents the route; every route needs it. */
export function Documented(docs: RouteDocs): MethodDecorator {
  return routeFacts({ docs });
}

/**
 * Mounts a route on a method, whose first argument is `@Parameters()` when the route has parameters. A method's result
 * becomes the answer, of an action as `{"value": result}`; `undefined` is an empty body.
 */
export function Route<Parameters>(route: DefinedRoute<Parameters>) {
  return <Handler extends (parameters: Parameters, ...others: never[]) => unknown>(
    target: object,
    key: string | symbol,
    descriptor: TypedPropertyDescriptor<Handler>,
  ): void => {
    const { method, paths, action } = route;
    applyDecorators(
      RequestMapping({ method: RequestMethod[method], path: [...paths] }),
      HttpCode(200),
      ...(action === undefined ? [] : [RouteConstraints({ action })]),
      routeFacts(route),
    )(target, key, descriptor);
  };
}

const FACTS = 'stratalog:route-facts';

export function readRouteFacts(method: object): RouteFacts {
  return (Reflect.getMetadata(FACTS, method) as RouteFacts | undefined) ?? {};
}

/**
 * Nest keeps one configuration object per method, so this function merges the facts of several decorators.
 */
export function routeFacts(facts: RouteFacts): MethodDecorator {
  return (target, key, descriptor) => {
    const method = descriptor.value as object;
    const gathered = { ...readRouteFacts(method), ...facts };
    Reflect.defineMetadata(FACTS, gathered, method);
    RouteConfig(gathered)(target, key, descriptor);
  };
}
