import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  toFilterKey,
  toFilterKeys,
  toFilterToken,
  MAX_FILTER_VALUES_PER_DOCUMENT,
  MAX_KEY_CHARACTERS_PER_DOCUMENT,
  MAX_KEY_LENGTH,
} from '../analysis/filter-keys';
import type { SearchField } from '@stratalog/domain';
import { compareKeys } from './matches-filter';

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
);

describe('filter keys', () => {
  test('have the order of the numbers', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(Math.sign(compareKeys(toFilterKey(a), toFilterKey(b)))).toBe(a < b ? -1 : a > b ? 1 : 0);
        expect(toFilterToken(a) === toFilterToken(b)).toBe(!(a < b || a > b));
      }),
    );
  });

  test.each<[number | bigint, number | bigint]>([
    [2 ** 53, 2n ** 53n],
    [0, -0],
    [1, 1n],
  ])('are one key and one token for %s and %s', (a, b) => {
    expect(toFilterKey(a)).toBe(toFilterKey(b));
    expect(toFilterToken(a)).toBe(toFilterToken(b));
  });

  test.each<[number | bigint, number | bigint]>([
    [2n ** 53n, 2n ** 53n + 1n],
    [2n ** 63n - 2n, 2n ** 63n - 1n],
    [2n ** 63n - 1n, 2n ** 64n],
    [-1e300, -(2n ** 63n)],
  ])('are lower for %s than for %s, which share a double or nearly do', (a, b) => {
    expect(compareKeys(toFilterKey(a), toFilterKey(b))).toBe(-1);
  });

  test('are one key and several tokens for texts that differ in case or form', () => {
    expect(['Ünit Σ', 'ünit ς', 'ÜNIT σ', 'ünit σ'].map(toFilterKey)).toEqual(Array(4).fill('ünit σ'));
    expect(new Set(['a', 'A', ' a'].map(toFilterToken)).size).toBe(3);
  });

  test('can be stored by every engine, whatever the text, and are their own keys', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 3_000 }), (text) => {
        const key = toFilterKey(text);
        expect(key.length).toBeLessThanOrEqual(MAX_KEY_LENGTH);
        expect(key).not.toContain('\u0000');
        expect(key).not.toMatch(/\p{Surrogate}/u);
      }),
    );
    expect(toFilterKey('ﷺ'.repeat(2_000))).toHaveLength(MAX_KEY_LENGTH);
    expect(toFilterKey(`${'x'.repeat(MAX_KEY_LENGTH - 1)}😀`)).toHaveLength(MAX_KEY_LENGTH - 1);
  });

  test('are cut in long lists and complete in short ones, in the given order', () => {
    const long = Array.from({ length: 5_000 }, (_, at) => `v${String(at)}`);
    const own = toFilterKeys(new Map([['long', long], ['short', ['a', 'a', 'A']], ['none', []]]), new Map()); // prettier-ignore
    expect(Object.keys(own)).toEqual(['long', 'short', 'none']);
    expect(own.short).toEqual({ tokens: [toFilterToken('a'), toFilterToken('A')], keys: ['a'] });
    expect(own.long?.keys).toHaveLength(MAX_FILTER_VALUES_PER_DOCUMENT - 3);
    expect(own.none).toEqual({ tokens: [], keys: [] });
    const wide = toFilterKeys(new Map([['wide', long.map((each) => each.padEnd(1_000))]]), new Map());
    expect(wide.wide?.keys).toHaveLength(Math.floor(MAX_KEY_CHARACTERS_PER_DOCUMENT / 1_000));
    expect(wide.wide?.tokens).toHaveLength(MAX_FILTER_VALUES_PER_DOCUMENT);
  });

  test('are complete for paths beside as many long descriptions', () => {
    const field = (name: string, boost: number): SearchField => ({
      ...{ name, boost, type: 'TEXT', queryByDefault: true, autocomplete: false, aliases: [] },
    });
    const fields = new Map([field('paths', 1), field('descriptions', 0.1)].map((each) => [each.name, each]));
    const named = (text: string, count: number) =>
      Array.from({ length: count }, (_, at) => `${text.padEnd(100, '.')}${String(at)}`);
    const own = toFilterKeys(
      new Map([
        ['descriptions', named('said', 900)],
        ['paths', named('after', 1_000)],
      ]),
      fields,
    );
    expect(own.paths?.keys).toHaveLength(1_000);
    expect(own.paths?.tokens).toHaveLength(1_000);
  });
});
