import type { AspectRef, Truncation } from '@stratalog/ports';

/** What is kept of the history of an aspect: a version goes when it is beyond every limit that is there, and never without one. */
export interface RetentionPolicy {
  /** So many of the newest numbers are kept. */
  readonly maxVersions?: number;
  /** What was written so lately is kept. */
  readonly maxAgeMs?: number;
}

/** Every policy of a catalog. */
export interface RetentionRules {
  /** By {@link ruleKey}. */
  readonly stored: ReadonlyMap<string, RetentionPolicy>;
  /** Counts where nothing is stored. */
  readonly fallback: RetentionPolicy;
}

const ANY = '*';

export function ruleKey(entityType: string, aspectName: string): string {
  return `${entityType},${aspectName}`;
}

/**
 * The policy that counts for an aspect: the most exact one that is stored, and an entity type is more exact than an aspect.
 *
 * **Source**: entity and aspect behaviour, section 10.5.
 */
export function policyFor(
  { stored, fallback }: RetentionRules,
  entityType: string,
  aspectName: string,
): RetentionPolicy {
  if (stored.size === 0) return fallback;
  return (
    stored.get(ruleKey(entityType, aspectName)) ??
    stored.get(ruleKey(entityType, ANY)) ??
    stored.get(ruleKey(ANY, aspectName)) ??
    stored.get(ruleKey(ANY, ANY)) ??
    fallback
  );
}

/** What may go of an aspect whose newest number is known; `undefined` while that alone says that nothing can. */
export function planTruncation(
  { maxVersions, maxAgeMs }: RetentionPolicy,
  { urn, aspectName, newest }: AspectRef & { readonly newest: number },
  nowMs: number,
): Truncation | undefined {
  if (maxVersions === undefined && maxAgeMs === undefined) return undefined;
  // The newest is what is there now, whatever a policy says.
  const upTo = newest - Math.max(1, maxVersions ?? 1);
  const beforeMs = maxAgeMs === undefined ? Number.MAX_SAFE_INTEGER : nowMs - maxAgeMs;
  return upTo < 1 || beforeMs <= 0 ? undefined : { urn, aspectName, upTo, beforeMs };
}

/** The entity type that a well-formed urn names. */
export function entityTypeIn(urn: string): string {
  return urn.split(':', 3)[2] ?? '';
}
