import { NEEDED_SCOPE, type CallEffect, type AccessLimits, type Principal } from './principal';
import { findPlatform } from './find-platform';
import { entityTypeIn } from '../entities/urn';

/** The facts of a route that decide about access. */
export interface CallFacts {
  readonly effect: CallEffect;
  /** Method, path and action: `POST /entities search`. */
  readonly call: string;
}

/** The entities that a call touches: named ones, all of some types, or ones that the call does not name. */
export type Touched = TouchedEntities & {
  /** The call changes entities that it does not name: what a rollback changes is known only while it runs. */
  readonly changesUnnamed?: boolean;
};

type TouchedEntities =
  | { readonly kind: 'entities'; readonly urns: readonly string[] }
  | { readonly kind: 'types'; readonly entityTypes: readonly string[] }
  | { readonly kind: 'any' }
  | { readonly kind: 'nothing' };

export type AccessDecision =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'rejected'; readonly reason: string };

const ALLOWED: AccessDecision = { kind: 'allowed' };

/**
 * Decides whether a principal may make a call. Without `touched` the decision is about the call alone; a limited principal needs a
 * second one as soon as the parameters are known.
 */
export function decideAccess(
  principal: Principal,
  { effect, call }: CallFacts,
  touched?: Touched,
): AccessDecision {
  if (principal.open.has(effect)) return ALLOWED;
  const scope = NEEDED_SCOPE[effect];
  if (!principal.scopes.has(scope)) {
    const has = principal.scopes.size === 0 ? 'none' : [...principal.scopes].join(', ');
    return reject(`needs the scope ${scope}; ${describePrincipal(principal)} has ${has}`);
  }
  const { calls } = principal.limits;
  if (calls !== undefined && !calls.includes(call)) {
    return reject(`${call} is none of the calls that ${describePrincipal(principal)} is limited to`);
  }
  const fault = touched === undefined ? undefined : findFault(principal.limits, touched);
  if (fault !== undefined)
    return reject(`${fault}: ${describePrincipal(principal)} is limited in its scope ${scope}`);
  if (touched?.changesUnnamed !== true || !isPolicyBound(principal)) return ALLOWED;
  return reject(
    `it changes entities that it does not name, and policies bind ${principal.actor}; it needs the scope admin`,
  );
}

/** True when decisions about a principal depend on what a call touches. */
export function dependsOnTouched(principal: Principal): boolean {
  const { entityTypes, platforms } = principal.limits;
  return entityTypes !== undefined || platforms !== undefined || isPolicyBound(principal);
}

/** The limits of a principal in calls with an effect; none where every caller may make them. */
export function limitsOf({ open, limits }: Principal, effect: CallEffect): AccessLimits {
  return open.has(effect) ? {} : limits;
}

/** Stored policies bind no caller that can give itself every right, unless it speaks for another. */
export function isPolicyBound({ policies, scopes, actsForAnother }: Principal): boolean {
  return policies === 'on' && (actsForAnother === true || !scopes.has('admin'));
}

function reject(reason: string): AccessDecision {
  return { kind: 'rejected', reason };
}

function describePrincipal({ kind, name, id }: Principal): string {
  if (kind === 'anonymous') return 'a caller without a token';
  return id === undefined || id === name ? `${kind} "${name}"` : `${kind} "${name}" (${id})`;
}

function findFault(limits: AccessLimits, touched: Touched): string | undefined {
  const { entityTypes, platforms } = limits;
  if (entityTypes === undefined && platforms === undefined) return undefined;
  switch (touched.kind) {
    case 'nothing':
      return undefined;
    case 'any':
      return `the call is not limited to entities ${describeLimits(limits)}`;
    case 'types': {
      if (touched.entityTypes.length === 0 || platforms !== undefined) {
        return `the call is not limited to entities ${describeLimits(limits)}`;
      }
      const other = touched.entityTypes.find((type) => entityTypes?.includes(type) === false);
      return other === undefined
        ? undefined
        : `the entity type ${other.slice(0, 100)} is not ${describeLimits(limits)}`;
    }
    case 'entities': {
      const other = touched.urns.find((urn) => !isWithinLimits(limits, urn));
      return other === undefined ? undefined : `${other.slice(0, 600)} is not ${describeLimits(limits)}`;
    }
  }
}

/** True when limits allow a call on an entity. */
export function isWithinLimits({ entityTypes, platforms }: AccessLimits, urn: string): boolean {
  if (entityTypes !== undefined && !entityTypes.includes(entityTypeIn(urn))) return false;
  if (platforms === undefined) return true;
  const platform = findPlatform(urn);
  return platform !== undefined && platforms.includes(platform);
}

function describeLimits({ entityTypes, platforms }: AccessLimits): string {
  const limits = [
    ...(entityTypes === undefined ? [] : [`of the entity types ${entityTypes.join(', ')}`]),
    ...(platforms === undefined ? [] : [`of the platforms ${platforms.join(', ')}`]),
  ];
  return limits.join(' and ');
}
