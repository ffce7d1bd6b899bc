import { describe, expect, test } from '@jest/globals';
import { computeRangeStart, type UsageTimeRange } from './time-ranges';

const NOW = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

describe('a range that ends now', () => {
  test.each<[UsageTimeRange, number]>([
    ['HOUR', NOW - DAY_MS / 12 - 1],
    ['DAY', NOW - 2 * DAY_MS - 1],
    ['WEEK', NOW - 8 * DAY_MS - 1],
    ['MONTH', NOW - 31 * DAY_MS - 1],
    ['QUARTER', NOW - 92 * DAY_MS - 1],
    ['HALF_YEAR', NOW - 184 * DAY_MS - 1],
    ['YEAR', NOW - 366 * DAY_MS - 1],
    ['ALL', 0],
  ])('%s begins a unit earlier', (range, startMs) => {
    expect(computeRangeStart(range, NOW)).toBe(startMs);
  });

  test('does not begin before 1970', () => {
    expect(computeRangeStart('YEAR', DAY_MS)).toBe(0);
  });
});
