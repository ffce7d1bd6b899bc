import { aspectKey } from '@stratalog/model';
import type { Truncation, NewChange } from '@stratalog/ports';
import { entityTypeIn, planTruncation, policyFor, type RetentionRules } from '@stratalog/retention';

/** Plans which versions to truncate from the histories that these changes extend, as of each change's stamp. */
export function planTruncations(changes: readonly NewChange[], rules: RetentionRules): readonly Truncation[] {
  const truncations = new Map<string, Truncation>();
  for (const { kind, urn, aspectName, version, created, aspectCreated } of changes) {
    // A history of one version has nothing to truncate; most writes create one.
    if (kind === 'timeseries' || version === 1) continue;
    const policy = policyFor(rules, entityTypeIn(urn), aspectName);
    const truncation = planTruncation(policy, { urn, aspectName, newest: version }, created.time);
    // All versions since the aspect was created are too recent. The scheduled pass handles versions from before a
    // deletion.
    if (
      truncation === undefined ||
      (aspectCreated !== undefined && aspectCreated.time >= truncation.beforeMs)
    )
      continue;
    // The last version of an aspect truncates the most.
    truncations.set(aspectKey({ urn, aspectName }), truncation);
  }
  return [...truncations.values()];
}
