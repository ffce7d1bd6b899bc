import type { StoredEntity } from '@stratalog/domain';
import { isJsonObject, parseInSteps, type JsonValue, type Steps } from '@stratalog/json';

/** How much the use of an entity counts among equally good matches. */
export type PopularityStrength = 'off' | 'weak' | 'strong';

/** The aspect that holds how much an entity is used. */
export const POPULARITY_ASPECT = 'usageFeatures';

/** The gain of the most popular entity. `weak` lies below each fact that tells originals from copies, `strong` above. */
const GAIN: Readonly<Record<Exclude<PopularityStrength, 'off'>, number>> = { weak: 0.008, strong: 0.5 };

/** Queries in 30 days that make an entity fully popular, where nothing else is known. */
const MAX_QUERIES = 100_000;

/** Users and referrers that make an entity fully popular. */
const MAX_USE = 1_023;
const LEVELS = 10;

/**
 * Computes the factor of an entity's score for how much it is used, from its stored aspects alone.
 *
 * **Units**: from 1 to 1.008 (`weak`) or 1.5 (`strong`); 1 without an aspect {@link POPULARITY_ASPECT}.
 */
export function* weighPopularity(strength: PopularityStrength, { aspects }: StoredEntity): Steps<number> {
  if (strength === 'off') return 1;
  const stored = aspects.find(({ name }) => name === POPULARITY_ASPECT);
  if (stored === undefined) return 1;
  return 1 + GAIN[strength] * readPopularity((yield* parseInSteps(stored.value)).value);
}

/** Reads how popular an entity is, from 0 to 1: by its multiplier, else its percentiles, else its queries. */
function readPopularity(features: JsonValue): number {
  if (!isJsonObject(features)) return 0;
  const multiplier = toNumber(features.combinedSearchRankingMultiplier);
  if (multiplier !== undefined) return bound(multiplier - 1);
  const percentiles = [features.queryCountPercentileLast30Days, features.uniqueUserPercentileLast30Days]
    .map(toNumber)
    .filter((percent) => percent !== undefined);
  if (percentiles.length > 0) return bound(Math.max(...percentiles) / 100);
  return bound(Math.log1p(toNumber(features.queryCountLast30Days) ?? 0) / Math.log1p(MAX_QUERIES));
}

/**
 * Computes the multiplier of an entity from its users and referrers, in ten steps from 1 to 2, each twice as much use as the one
 * before. Small changes of use change nothing.
 */
export function toRankingMultiplier(use: { readonly users: number; readonly referrers: number }): number {
  const level = Math.round((LEVELS * Math.log2(1 + use.users + use.referrers)) / Math.log2(1 + MAX_USE));
  return (LEVELS + Math.min(LEVELS, level)) / LEVELS;
}

function toNumber(value: JsonValue | undefined): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function bound(popularity: number): number {
  return Math.min(1, Math.max(0, popularity));
}
