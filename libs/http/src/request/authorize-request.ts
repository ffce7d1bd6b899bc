import {
  ForbiddenError,
  UnauthenticatedError,
  decideAccess,
  dependsOnTouched,
  type CallEffect,
  type Principal,
  type Touched,
} from '@stratalog/domain';
import { principalOf, type WireRequest } from './wire';
import { nameRoute } from './route-name';

/** A call on entities that it does not name. */
const ANY: Touched = { kind: 'any' };

/** A call on named entities. */
export function touchEntities(urns: readonly string[]): Touched {
  return { kind: 'entities', urns };
}

/** A call on no entity: on schemas. */
export function touchNothing(): Touched {
  return { kind: 'nothing' };
}

/** A call on all entities of some types; of every type when there are none. */
export function touchTypes(entityTypes: readonly string[] = []): Touched {
  return { kind: 'types', entityTypes };
}

/**
 * Rejects a call by its route alone, before its body is read. A route that cannot tell what a call touches rejects limited principals.
 *
 * **Errors**: `UnauthenticatedError` for a caller without a token; `ForbiddenError` that names the missing scope or the limit.
 */
export function authorizeRoute(request: WireRequest): void {
  const { access, touches } = request.routeOptions.config;
  if (access === 'public' || request.is404) return;
  authorizeCall(request, touches === undefined ? ANY : undefined);
}

/** Rejects a call by its parsed parameters. **Errors**: those of {@link authorizeRoute}. */
export function authorizeParameters(request: WireRequest, parameters: unknown): void {
  const { access, touches } = request.routeOptions.config;
  if (access === 'public' || typeof touches !== 'function') return;
  if (dependsOnTouched(principalOf(request))) authorizeCall(request, touches(parameters));
}

/**
 * Rejects a call by what it touches. A route that tells no effect is taken for the most dangerous one.
 *
 * **Errors**: those of {@link authorizeRoute}.
 */
export function authorizeCall(
  request: WireRequest,
  touched: Touched | undefined,
  effect: CallEffect = request.routeOptions.config.effect ?? 'administers',
): void {
  const call = nameRoute(request);
  if (call === undefined) return;
  const principal = principalOf(request);
  const decision = decideAccess(principal, { effect, call }, touched);
  if (decision.kind === 'rejected')
    throw toError(principal, `This call is not permitted: ${decision.reason}`);
}

function toError({ kind }: Principal, message: string): Error {
  return kind === 'anonymous' ? new UnauthenticatedError(message) : new ForbiddenError(message);
}
