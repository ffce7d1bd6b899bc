import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import { shorten } from './shorten';

const LIMIT = 2_000;

it('leaves a value that fits as it is', () => {
  const value = { text: 'x'.repeat(1_000), big: 9_007_199_254_740_993n };
  expect(shorten(value, LIMIT)).toBe(value);
});

it('shortens texts and lists, and says by how much', () => {
  const value = { text: 'x'.repeat(10_000), list: Array.from({ length: 1_000 }, (_, at) => at) };
  const short = shorten(value, LIMIT);
  expect(short).toMatchObject({ text: expect.stringMatching(/^x+… \(\d+ more characters\)$/) as unknown });
  expect((short as { list: unknown[] }).list.at(-1)).toMatch(/^… \(\d+ more elements\)$/);
});

it('brings any value to the limit', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 12 }), fc.integer({ min: 1, max: 200 }), (value, times) => {
      const wide = {
        wide: Array.from({ length: times }, () => value as JsonOutput),
        x: 'y'.repeat(times * 100),
      };
      expect(stringifyJson(shorten(wide, LIMIT)).length).toBeLessThanOrEqual(LIMIT);
    }),
    { numRuns: 50 },
  );
});
