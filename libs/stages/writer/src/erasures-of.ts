import { aspectKey } from '@stratalog/model';
import type { Erasure, NewChange } from '@stratalog/ports';
import { entityTypeIn, erasureOf, policyFor, type RetentionRules } from '@stratalog/retention';

/** What may go of the histories that these changes have made longer, as of their own stamps. */
export function erasuresOf(changes: readonly NewChange[], rules: RetentionRules): readonly Erasure[] {
  const erasures = new Map<string, Erasure>();
  for (const { kind, urn, aspectName, version, created, begun } of changes) {
    // Nothing can go of a history of one version, which is what most writes begin.
    if (kind === 'point' || version === 1) continue;
    const policy = policyFor(rules, entityTypeIn(urn), aspectName);
    const erasure = erasureOf(policy, { urn, aspectName, newest: version }, created.time);
    // All versions since the aspect came to be are younger; what was there before it was once deleted is left to the clock.
    if (erasure === undefined || (begun !== undefined && begun.time >= erasure.beforeMs)) continue;
    // Of the versions of one aspect the last one lets go of the most.
    erasures.set(aspectKey({ urn, aspectName }), erasure);
  }
  return [...erasures.values()];
}
