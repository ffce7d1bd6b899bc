import type { IndexIdentity } from '@stratalog/ports';

/** Ends the mapping of a version for which a rebuild was requested. */
export const REBUILD_MARK = ', to be replaced';

/** True when a version differs from `identity` only by a requested rebuild, so that it can still be followed. */
export function isOutdatedAlone(live: IndexIdentity, identity: IndexIdentity): boolean {
  return isSameIdentity(live, { ...identity, mapping: `${identity.mapping}${REBUILD_MARK}` });
}

export function isSameIdentity(a: IndexIdentity, b: IndexIdentity): boolean {
  return isSameStore(a, b) && a.mapping === b.mapping;
}

/** True when positions of both versions mean the same changes. */
export function isSameStore(a: IndexIdentity, b: IndexIdentity): boolean {
  return a.storeId === b.storeId && a.epoch === b.epoch;
}

/** True when a version was built with `mapping`, whether or not a rebuild of it is requested. */
export function isOfMapping({ mapping: own }: IndexIdentity, mapping: string): boolean {
  return own === mapping || own === `${mapping}${REBUILD_MARK}`;
}
