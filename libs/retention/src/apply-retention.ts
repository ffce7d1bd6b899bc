import { UnavailableError, aspectKey } from '@stratalog/model';
import type { Clock, Truncation, NumberedAspect, RetentionStore } from '@stratalog/ports';
import { entityTypeIn, planTruncation, policyFor } from './policy-for';
import type { RetentionPolicies } from './retention-policies';

export interface RetentionDeps {
  readonly store: RetentionStore;
  readonly policies: RetentionPolicies;
  readonly clock: Clock;
}

export interface RetentionPage {
  /** Aspects that were checked. */
  readonly aspects: readonly NumberedAspect[];
  /** Number of aspects with a purged value. */
  readonly cut: number;
  /** Number of versions whose values were purged. */
  readonly versions: number;
}

/**
 * Purges the values of some aspects that their policies let expire. Each step is a short transaction; after a crash the
 * next call finds the rest.
 *
 * **Errors**: `UnavailableError` when the clock is implausible or the store does not answer. Values purged before that
 * stay purged.
 */
export async function applyRetention(
  { store, policies, clock }: RetentionDeps,
  aspects: readonly NumberedAspect[],
  isWanted: () => boolean = () => true,
): Promise<RetentionPage> {
  rejectWithoutClock(clock);
  const rules = await policies.current();
  const nowMs = clock.now();
  let due = aspects.flatMap((aspect): Truncation[] => {
    const truncation = planTruncation(
      policyFor(rules, entityTypeIn(aspect.urn), aspect.aspectName),
      aspect,
      nowMs,
    );
    return truncation === undefined ? [] : [truncation];
  });
  const cut = new Set<string>();
  let versions = 0;
  while (due.length > 0 && isWanted()) {
    const truncated = await store.truncate(due);
    for (const each of truncated) {
      cut.add(aspectKey(each));
      versions += each.to - each.from + 1;
    }
    const unfinished = new Set(truncated.filter(({ hasMore }) => hasMore).map(aspectKey));
    due = due.filter((each) => unfinished.has(aspectKey(each)));
  }
  return { aspects, cut: cut.size, versions };
}

/** Throws while the clock is implausible: it would make young values look old enough to purge. */
export function rejectWithoutClock(clock: Clock): void {
  const doubt = clock.doubt?.();
  if (doubt !== undefined) throw new UnavailableError(`Nothing is truncated: ${doubt}`);
}
