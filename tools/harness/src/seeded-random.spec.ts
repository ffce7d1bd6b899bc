import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SeededRandom } from './seeded-random';

const seeds = fc.integer({ min: 0, max: 2 ** 32 - 1 });

describe('seeded random numbers', () => {
  it('stay within their bounds', () => {
    fc.assert(
      fc.property(seeds, fc.integer({ min: -50, max: 50 }), fc.nat(100), (seed, minimum, size) => {
        const drawn = new SeededRandom(seed).integer(minimum, minimum + size);
        expect(drawn).toBeGreaterThanOrEqual(minimum);
        expect(drawn).toBeLessThanOrEqual(minimum + size);
      }),
    );
  });

  it('are spread evenly', () => {
    const random = new SeededRandom(1);
    const drawn = Array.from({ length: 4_000 }, () => random.integer(0, 3));
    for (const value of [0, 1, 2, 3]) {
      const count = drawn.filter((one) => one === value).length;
      expect(Math.abs(count - 1_000)).toBeLessThan(150);
    }
  });

  it('do not shift in one fork by the use of another', () => {
    fc.assert(
      fc.property(seeds, fc.nat(20), (seed, draws) => {
        const [quiet, busy] = [new SeededRandom(seed), new SeededRandom(seed)];
        const other = busy.fork(1);
        for (let at = 0; at < draws; at++) other.fraction();
        expect(busy.fork(2).fraction()).toBe(quiet.fork(2).fraction());
      }),
    );
  });

  it('never pick what weighs nothing', () => {
    const random = new SeededRandom(3);
    for (let at = 0; at < 200; at++) expect(random.weighted({ never: 0, always: 2 })).toBe('always');
  });
});
