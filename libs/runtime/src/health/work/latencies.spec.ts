import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Latencies } from './latencies';

it('a quantile of latencies is that of the durations themselves, at most a fifth higher', () => {
  const durations = fc.array(fc.double({ min: 0.1, max: 100_000, noNaN: true }), {
    minLength: 1,
    maxLength: 50,
  });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95, 1), (all, share) => {
      const latencies = new Latencies();
      for (const ms of all) latencies.add(ms);
      const exact = all.toSorted((a, b) => a - b)[Math.ceil(share * all.length) - 1] ?? 0;
      const estimated = latencies.quantile(share) ?? 0;
      // The answer has one decimal.
      expect(estimated).toBeGreaterThanOrEqual(exact - 0.05 - exact * 1e-9);
      expect(estimated).toBeLessThanOrEqual(exact * 1.2 + 0.06);
    }),
  );
});

it('latencies without a duration have no quantile, and the shortest and longest are counted too', () => {
  const latencies = new Latencies();
  expect(latencies.quantile(0.5)).toBeUndefined();
  latencies.add(0);
  latencies.add(1e9);
  expect([latencies.count, latencies.quantile(0.5)]).toEqual([2, 0.1]);
  expect(latencies.quantile(1)).toBeGreaterThan(600_000);
});
