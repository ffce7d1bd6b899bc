import { describe, expect, it } from '@jest/globals';
import { computePercentiles } from './percentiles';

describe('computePercentiles', () => {
  it('returns the percentiles of the slowest', () => {
    const times = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect(computePercentiles(times)).toEqual({ count: 100, p50: 50, p95: 95, p99: 99, max: 100 });
    expect(computePercentiles([1.26])).toEqual({ count: 1, p50: 1.3, p95: 1.3, p99: 1.3, max: 1.3 });
  });

  it('returns nothing without samples', () => {
    expect(computePercentiles([])).toBeUndefined();
  });
});
