/** Lengths of the ranges of `queryRange`, up to now. `ALL` has no beginning. */
export const TIME_RANGES = ['HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR', 'ALL'] as const;
export type UsageTimeRange = (typeof TIME_RANGES)[number];

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Each has a unit more than its name says, so that the period in which it begins is whole. */
const LENGTHS_MS: Readonly<Record<Exclude<UsageTimeRange, 'ALL'>, number>> = {
  HOUR: 2 * HOUR_MS,
  DAY: 2 * DAY_MS,
  WEEK: 8 * DAY_MS,
  MONTH: 31 * DAY_MS,
  QUARTER: 92 * DAY_MS,
  HALF_YEAR: 184 * DAY_MS,
  YEAR: 366 * DAY_MS,
};

/** Computes the start of a range that ends now, in epoch ms. */
export function computeRangeStart(range: UsageTimeRange, nowMs: number): number {
  return range === 'ALL' ? 0 : Math.max(0, nowMs - LENGTHS_MS[range] - 1);
}
