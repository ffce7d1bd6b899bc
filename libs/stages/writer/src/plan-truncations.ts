import { aspectKey } from '@stratalog/model';
import type { Truncation, NewChange } from '@stratalog/ports';
import { entityTypeIn, planTruncation, policyFor, type RetentionRules } from '@stratalog/retention';

/** What may go of the histories that these changes have made longer, as of their own stamps. */
export function planTruncations(changes: readonly NewChange[], rules: RetentionRules): readonly Truncation[] {
  const truncations = new Map<string, Truncation>();
  for (const { kind, urn, aspectName, version, created, aspectCreated } of changes) {
    // Nothing can go of a history of one version, which is what most writes begin.
    if (kind === 'timeseries' || version === 1) continue;
    const policy = policyFor(rules, entityTypeIn(urn), aspectName);
    const truncation = planTruncation(policy, { urn, aspectName, newest: version }, created.time);
    // All versions since the aspect came to be are younger; what was there before it was once deleted is left to the clock.
    if (
      truncation === undefined ||
      (aspectCreated !== undefined && aspectCreated.time >= truncation.beforeMs)
    )
      continue;
    // Of the versions of one aspect the last one lets go of the most.
    truncations.set(aspectKey({ urn, aspectName }), truncation);
  }
  return [...truncations.values()];
}
