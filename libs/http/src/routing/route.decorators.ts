import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { RouteConfig, RouteConstraints } from '@nestjs/platform-fastify';
import type { Access } from '../access/authenticator';
import type { RouteDocs } from './route-docs';

/** What the transport knows about a route beside its path. */
export interface RouteFacts {
  /** Name of the action that the route serves; its answer is wrapped as `{"value": ...}`. */
  readonly action?: string;
  readonly access?: Access;
  /** Whose content type and error bodies the route speaks, when they are not the contract's. */
  readonly dialect?: 'schema-registry';
  /** Takes bodies up to the configured limit; every other route takes 1 MB. */
  readonly takesLargeBody?: boolean;
  /** What people are told about it. */
  readonly docs?: RouteDocs;
}

/**
 * Serves `POST /<resource>?action=<name>`. Several modules may contribute actions of one resource; two with the same name stop
 * the start. The method's result becomes `{"value": result}`, or an empty body when it is `undefined`.
 */
export function Action(resource: string, name: string): MethodDecorator {
  return applyDecorators(
    Post(resource),
    HttpCode(200),
    RouteConstraints({ action: name }),
    routeFacts({ action: name }),
  );
}

/** Open to everyone in every mode, whatever token the call carries. */
export function Public(): MethodDecorator {
  return routeFacts({ access: 'public' });
}

/** Needs a token unless tokens are switched off. */
export function Administrative(): MethodDecorator {
  return routeFacts({ access: 'administrative' });
}

/** The route writes values: its body may have all the bytes that the settings allow. */
export function LargeBody(): MethodDecorator {
  return routeFacts({ takesLargeBody: true });
}

/** What people are told about the route; every route needs it. */
export function Documented(docs: RouteDocs): MethodDecorator {
  return routeFacts({ docs });
}

const FACTS = 'stratalog:route-facts';

export function readRouteFacts(method: object): RouteFacts {
  return (Reflect.getMetadata(FACTS, method) as RouteFacts | undefined) ?? {};
}

/** Nest keeps one configuration object per method, so facts from several decorators are gathered before it is set. */
export function routeFacts(facts: RouteFacts): MethodDecorator {
  return (target, key, descriptor) => {
    const method = descriptor.value as object;
    const gathered = { ...readRouteFacts(method), ...facts };
    Reflect.defineMetadata(FACTS, gathered, method);
    RouteConfig(gathered)(target, key, descriptor);
  };
}
