import { describe, expect, it } from '@jest/globals';
import { toLatencies } from './latencies';

describe('toLatencies', () => {
  it('takes percentiles by nearest rank, whatever the order of the samples', () => {
    const samples = Array.from({ length: 100 }, (_, at) => ((at * 37) % 100) + 1);
    expect(toLatencies(samples)).toEqual({ count: 100, p50Ms: 50, p95Ms: 95, p99Ms: 99, maxMs: 100 });
  });

  it('returns a single sample for every percentile', () => {
    expect(toLatencies([7])).toEqual({ count: 1, p50Ms: 7, p95Ms: 7, p99Ms: 7, maxMs: 7 });
  });

  it('has no percentiles of nothing', () => {
    expect(toLatencies([])).toEqual({ count: 0, p50Ms: 0, p95Ms: 0, p99Ms: 0, maxMs: 0 });
  });
});
