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
  /** Aspects that were looked at. */
  readonly aspects: readonly NumberedAspect[];
  /** Aspects of which something was erased. */
  readonly cut: number;
  /** Versions whose values were. */
  readonly versions: number;
}

/**
 * Erases what may go of the history of some aspects. Each step is a short transaction; after a crash what is left is found again.
 *
 * **Errors**: `UnavailableError` when the clock is not plausible or the store does not answer; what was erased by then stays erased.
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
    const erased = await store.truncate(due);
    for (const each of erased) {
      cut.add(aspectKey(each));
      versions += each.to - each.from + 1;
    }
    const unfinished = new Set(erased.filter(({ hasMore }) => hasMore).map(aspectKey));
    due = due.filter((each) => unfinished.has(aspectKey(each)));
  }
  return { aspects, cut: cut.size, versions };
}

/** Whatever is younger than a clock says would go as old. */
export function rejectWithoutClock(clock: Clock): void {
  const doubt = clock.doubt?.();
  if (doubt !== undefined) throw new UnavailableError(`Nothing is erased: ${doubt}`);
}
