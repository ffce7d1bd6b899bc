import { ForbiddenError } from '../errors/errors';
import type { Principal } from './principal';

/** Stored policies bind no caller that can give itself every right, unless it speaks for another. */
export function isPolicyBound({ scopes, actsForAnother }: Principal): boolean {
  return actsForAnother === true || !scopes.has('admin');
}

/**
 * Rejects a call that changes entities that it does not name: what a rollback changes is known only while it runs.
 *
 * **Errors**: `ForbiddenError` for a caller that policies bind.
 */
export function permitUnnamed(
  { policyMode }: { readonly policyMode: 'off' | 'on' },
  principal: Principal,
): void {
  if (policyMode === 'off' || !isPolicyBound(principal)) return;
  throw new ForbiddenError(
    `This call is not permitted: it changes entities that it does not name, and policies bind ${principal.actor}; it needs the scope admin`,
  );
}
