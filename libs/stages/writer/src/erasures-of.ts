import { aspectKey } from '@stratalog/model';
import type { Erasure, NewChange } from '@stratalog/ports';
import { entityTypeIn, erasureOf, policyFor, type RetentionRules } from '@stratalog/retention';

/** What may go of the histories that these changes have made longer, as of their own stamps. */
export function erasuresOf(changes: readonly NewChange[], rules: RetentionRules): readonly Erasure[] {
  const newest = new Map<string, NewChange>();
  // Nothing can go of a history of one version, which is what most writes begin.
  for (const change of changes) {
    if (change.kind !== 'point' && change.version > 1) newest.set(aspectKey(change), change);
  }
  return [...newest.values()].flatMap(({ urn, aspectName, version, created }) => {
    const policy = policyFor(rules, entityTypeIn(urn), aspectName);
    const erasure = erasureOf(policy, { urn, aspectName, newest: version }, created.time);
    return erasure === undefined ? [] : [erasure];
  });
}
