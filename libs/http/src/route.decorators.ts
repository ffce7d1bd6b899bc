import { applyDecorators, HttpCode, Post } from '@nestjs/common';
import { RouteConfig, RouteConstraints } from '@nestjs/platform-fastify';
import type { Access } from './authenticator';

/** What the transport knows about a route beside its path. */
export interface RouteFacts {
  /** Name of the action that the route serves; its answer is wrapped as `{"value": ...}`. */
  readonly action?: string;
  readonly access?: Access;
  /** Whose content type and error bodies the route speaks, when they are not the contract's. */
  readonly dialect?: 'schema-registry';
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

const FACTS = 'stratalog:route-facts';

/** Nest keeps one configuration object per method, so facts from several decorators are gathered before it is set. */
export function routeFacts(facts: RouteFacts): MethodDecorator {
  return (target, key, descriptor) => {
    const method = descriptor.value as object;
    const gathered = { ...(Reflect.getMetadata(FACTS, method) as RouteFacts | undefined), ...facts };
    Reflect.defineMetadata(FACTS, gathered, method);
    RouteConfig(gathered)(target, key, descriptor);
  };
}
