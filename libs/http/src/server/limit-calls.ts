import { UnauthenticatedError, type Principal } from '@stratalog/domain';
import type { FastifyInstance } from 'fastify';
import { readCredential, type Authenticator } from '../access/authenticator';
import type { CallLimits } from '../access/call-limits';
import { toNetwork } from '../access/caller-network';
import { readClientAddress } from './client-address';
import type { WireRequest } from '../request/wire';

interface Access {
  readonly authenticator: Authenticator;
  readonly limits: CallLimits | undefined;
}

/**
 * Returns the caller, within the limit of wrong tokens from its address.
 *
 * **Errors**: `UnauthenticatedError`; 429 when too many wrong tokens came from the address of a call with a token.
 */
export function authenticateWithin(
  request: WireRequest,
  { authenticator, limits }: Access,
): Principal | Promise<Principal> {
  const { config } = request.routeOptions;
  // A call without a token is no guess, and an unchecked token is none.
  if (
    limits === undefined ||
    !authenticator.checksToken(config) ||
    readCredential(request.headers) === undefined
  ) {
    return authenticator.authenticate(config, request);
  }
  const address = readClientAddress(request);
  limits.rejectGuesser(address);
  const fail = (error: unknown): never => {
    if (error instanceof UnauthenticatedError) limits.fail(address);
    throw error;
  };
  try {
    const caller = authenticator.authenticate(config, request);
    return 'then' in caller ? caller.catch(fail) : caller;
  } catch (error) {
    return fail(error);
  }
}

/**
 * Counts a call of a credential, of an operator, or of an address without one. Public routes are exempt: probes call them.
 *
 * **Errors**: 429 when the caller exceeds its rate.
 */
export function limitRate(
  request: WireRequest,
  { kind, id, actor }: Principal,
  limits: CallLimits | undefined,
): void {
  const { access, writes = false } = request.routeOptions.config;
  if (limits === undefined || access === 'public') return;
  const caller = kind === 'anonymous' ? toNetwork(readClientAddress(request)) : (id ?? actor);
  limits.rejectFast(caller, writes ? 'write' : 'read');
}

/** Lets limits exchange their counts as long as the server listens. */
export function startLimits(instance: FastifyInstance, limits: CallLimits): void {
  instance.addHook('onListen', (done) => {
    limits.start();
    done();
  });
  instance.addHook('onClose', () => limits.stop());
}
