import type { ScoreTier } from '@stratalog/domain';

/** Fields with an annotated boost of at least this hold names. */
const NAME_BOOST = 8;

/** Returns the tier of a field by its boost: names most (annotated boosts reach 10), plain text 1; `undefined` for boosts below 1. */
export function toTier(boost: number): Exclude<ScoreTier, 'any'> | undefined {
  if (boost >= NAME_BOOST) return 1;
  if (boost >= 2) return 2;
  return boost >= 1 ? 3 : undefined;
}
