import { describe, expect, test } from '@jest/globals';
import type { FieldTokens } from '@stratalog/domain';
import {
  boundTokens,
  MAX_EXACT_TOKENS_PER_DOCUMENT,
  MAX_PLACES_PER_DOCUMENT,
  MAX_PLACES_PER_TOKEN,
  MAX_TOKEN_CHARACTERS_PER_DOCUMENT,
  MAX_TOKENS_PER_DOCUMENT,
} from './bound-tokens';

const field = (
  name: string,
  boost: number,
  words: readonly string[],
  exact: readonly string[] = [],
): FieldTokens => ({
  field: name,
  queryByDefault: true,
  boost,
  tokens: words.map((token, at) => ({ token, position: at + 1 })),
  exact,
  completions: [],
});
const words = (count: number, prefix = 'w') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);

describe('boundTokens', () => {
  test('changes nothing in a document within the limits', () => {
    const fields = [field('a', 1, words(10), ['E61']), field('b', 5, words(10))];
    expect(boundTokens(fields)).toEqual(fields);
  });

  test('drops tokens of fields with less boost first, the last words before others', () => {
    const bounded = boundTokens([field('long', 1, words(7000)), field('name', 10, words(2000))]);
    expect(bounded.map(({ field: name, tokens }) => [name, tokens.length])).toEqual([
      ['long', MAX_TOKENS_PER_DOCUMENT - 2000],
      ['name', 2000],
    ]);
    expect(bounded[0]?.tokens.at(-1)?.token).toBe('w5999');
    expect(boundTokens(bounded)).toEqual(bounded);
  });

  test('keeps the first positions of a repeated word', () => {
    const bounded = boundTokens([
      field('a', 1, Array<string>(200).fill('x')),
      field('b', 1, Array<string>(200).fill('x')),
    ]);
    expect(bounded.map(({ tokens }) => tokens.length)).toEqual([200, MAX_PLACES_PER_TOKEN - 200]);
  });

  test('drops positions beyond the limit of a document', () => {
    const spread = (name: string): FieldTokens => ({
      ...field(name, 1, []),
      tokens: words(1000, name).map((token, at) => ({ token, position: 1 + at * 10 })),
    });
    const bounded = boundTokens([spread('a'), spread('b')]);
    const places = bounded.map(({ tokens }) => (tokens.at(-1)?.position ?? 0) + 1);
    expect(places.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_PLACES_PER_DOCUMENT);
    expect(bounded[1]?.tokens.length).toBeGreaterThan(500);
  });

  test('keeps no more characters and exact tokens than every engine can store', () => {
    const long = words(4000).map((word) => word.padEnd(200, 'q'));
    const [bounded] = boundTokens([field('a', 1, long, words(9000, 'E'))]);
    const characters = bounded?.tokens.reduce((sum, { token }) => sum + token.length, 0);
    expect(characters).toBeLessThanOrEqual(MAX_TOKEN_CHARACTERS_PER_DOCUMENT);
    expect(bounded?.exact).toHaveLength(MAX_EXACT_TOKENS_PER_DOCUMENT);
  });
});
