import { ForbiddenError, UnauthenticatedError, type Principal } from '@stratalog/domain';
import { ACTOR_HEADER, actAs } from '../access/act-as';
import type { Authenticator } from '../access/authenticator';
import { authorizeRoute } from '../request/authorize-request';
import type { WireReply, WireRequest } from '../request/wire';

/** A stream outlasts the right to it by this time, and by that for which a token and a user are cached. */
const CHECK_MS = 5_000;

/**
 * Makes the caller of a credential that of the request. Resolves, or returns `undefined`, when neither this caller nor the user on whose behalf
 * it acts is suspended or deleted.
 *
 * **Errors**: those of {@link actAs} and {@link Authenticator.requireStanding}.
 */
export function takeCaller(
  request: WireRequest,
  caller: Principal,
  authenticator: Authenticator,
): Promise<void> | undefined {
  request.principal = actAs(caller, request.headers[ACTOR_HEADER]);
  return authenticator.requireStanding(request.routeOptions.config, caller, request.principal);
}

/**
 * Closes the connection of a stream once its caller could not open it any more: the token is revoked or has expired, the user is suspended or
 * deleted. A store that cannot be asked ends no stream.
 */
export function endWithAccess(request: WireRequest, { raw }: WireReply, authenticator: Authenticator): void {
  if (raw.destroyed) return;
  const check = async (): Promise<void> => {
    const caller = await authenticator.authenticate(request.routeOptions.config, request);
    await takeCaller(request, caller, authenticator);
    authorizeRoute(request);
  };
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      if (error instanceof UnauthenticatedError || error instanceof ForbiddenError) raw.destroy();
    });
  }, CHECK_MS).unref();
  raw.once('close', () => {
    clearInterval(timer);
  });
}
