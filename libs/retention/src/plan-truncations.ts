import { aspectKey, entityTypeIn } from '@stratalog/domain';
import type { AspectRef, NewChange, Truncation } from '@stratalog/ports';

/**
 * Limits the history of an aspect. A version is purged when it exceeds every limit that is set, and never without a
 * limit.
 */
export interface RetentionPolicy {
  /** Number of newest versions to keep. */
  readonly maxVersions?: number;
  /** Versions younger than this are kept. **Units**: ms. */
  readonly maxAgeMs?: number;
}

/** All retention policies of a catalog. */
export interface RetentionRules {
  /** Stored policies by {@link ruleKey}. */
  readonly stored: ReadonlyMap<string, RetentionPolicy>;
  /** Applies where no stored policy matches. */
  readonly fallback: RetentionPolicy;
}

const ANY = '*';

export function ruleKey(entityType: string, aspectName: string): string {
  return `${entityType},${aspectName}`;
}

/**
 * Selects the policy of an aspect: the most exact one that is stored. A match by entity type is more exact than a match
 * by aspect name.
 *
 * **Source**: `docs/what/retention.md`, Policies.
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

/**
 * How long the values of a timeseries aspect stay; `undefined`: for good. Only a policy that names the aspect limits them: they are no
 * versions, of which the latest stays.
 */
export function maxAgeOf(
  { stored }: RetentionRules,
  entityType: string,
  aspectName: string,
): number | undefined {
  const policy = stored.get(ruleKey(entityType, aspectName)) ?? stored.get(ruleKey(ANY, aspectName));
  return policy?.maxAgeMs;
}

/** Plans which values of an aspect to purge. `undefined` when the newest version number alone rules out any. */
export function planTruncation(
  rules: RetentionRules,
  { urn, aspectName, newest }: AspectRef & { readonly newest: number },
  nowMs: number,
): Truncation | undefined {
  const { maxVersions, maxAgeMs } = policyFor(rules, entityTypeIn(urn), aspectName);
  if (maxVersions === undefined && maxAgeMs === undefined) return undefined;
  // The newest version is the current value; no policy purges it.
  const upTo = newest - Math.max(1, maxVersions ?? 1);
  const beforeMs = maxAgeMs === undefined ? Number.MAX_SAFE_INTEGER : nowMs - maxAgeMs;
  return upTo < 1 || beforeMs <= 0 ? undefined : { urn, aspectName, upTo, beforeMs };
}

/** Plans which versions to truncate from the histories that these changes extend, as of each change's stamp. */
export function planTruncations(changes: readonly NewChange[], rules: RetentionRules): readonly Truncation[] {
  const truncations = new Map<string, Truncation>();
  for (const { kind, urn, aspectName, version, created, aspectCreated } of changes) {
    // A history of one version has nothing to truncate; most writes create one.
    if (kind === 'timeseries' || version === 1) continue;
    const truncation = planTruncation(rules, { urn, aspectName, newest: version }, created.time);
    if (truncation === undefined) continue;
    // All versions since the aspect was created are too recent. The scheduled pass handles versions from before a
    // deletion.
    if (aspectCreated !== undefined && aspectCreated.time >= truncation.beforeMs) continue;
    // The last version of an aspect truncates the most.
    truncations.set(aspectKey({ urn, aspectName }), truncation);
  }
  return [...truncations.values()];
}
