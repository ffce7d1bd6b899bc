import { UnavailableError, aspectKey } from '@stratalog/domain';
import type { AspectRef, Clock, Truncation, NumberedAspect, RetentionStore } from '@stratalog/ports';
import { planTruncation } from './plan-truncations';
import type { RetentionPolicies } from './retention-policies';

export interface RetentionDeps {
  readonly store: RetentionStore;
  readonly policies: RetentionPolicies;
  readonly clock: Clock;
}

export interface RetentionPage {
  /** Number of aspects, from the first on, that were checked to their end. */
  readonly checked: number;
  /** Keys of the aspects with a purged value. */
  readonly cut: ReadonlySet<string>;
  /** Number of versions whose values were purged. */
  readonly versions: number;
}

/** Aspects in one call of the store, which purges some hundreds of versions of each: a fraction of a second. */
const ROUND = 100;

/**
 * Purges the values of some aspects that their policies let expire, in rounds of short transactions; after a crash the
 * next call finds the rest. Ends after a round when `isWanted` is false; every call gets on by at least one round.
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
  const due = aspects.flatMap((aspect): Truncation[] => {
    const truncation = planTruncation(rules, aspect, nowMs);
    return truncation === undefined ? [] : [truncation];
  });
  const cut = new Set<string>();
  let versions = 0;
  let round = due.splice(0, ROUND);
  while (round.length > 0) {
    const truncated = await store.truncate(round);
    for (const each of truncated) {
      cut.add(aspectKey(each));
      versions += each.to - each.from + 1;
    }
    const unfinished = new Set(truncated.filter(({ hasMore }) => hasMore).map(aspectKey));
    round = round.filter((each) => unfinished.has(aspectKey(each)));
    if (round.length === 0) round = due.splice(0, ROUND);
    if (!isWanted()) break;
  }
  return { checked: countChecked(aspects, round[0]), cut, versions };
}

/** Counts the aspects before the first one that is unfinished. */
function countChecked(aspects: readonly AspectRef[], unfinished: AspectRef | undefined): number {
  if (unfinished === undefined) return aspects.length;
  return aspects.findIndex((each) => aspectKey(each) === aspectKey(unfinished));
}

/** Throws while the clock is implausible: it would make young values look old enough to purge. */
export function rejectWithoutClock(clock: Clock): void {
  const doubt = clock.doubt?.();
  if (doubt !== undefined) throw new UnavailableError(`Nothing is truncated: ${doubt}`);
}
