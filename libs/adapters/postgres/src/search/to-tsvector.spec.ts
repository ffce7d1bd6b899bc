import { expect, test } from '@jest/globals';
import type { FieldTokens } from '@stratalog/domain';
import { pairLexeme, toTsvector } from './to-tsvector';

const field = (name: string, more: Partial<FieldTokens>): FieldTokens => ({
  ...{ field: name, queryByDefault: true, boost: 1, tokens: [], exact: [], completions: [] },
  ...more,
});

function lexemes(text: readonly FieldTokens[]): readonly string[] {
  return toTsvector({ text, filters: {} }).flatMap(({ start, ends }) =>
    [...ends.keys()].map((end) => start + end),
  );
}

test('a token twice in a field and once in another makes each lexeme once', () => {
  const twice = [
    { token: 'orders', position: 1 },
    { token: 'orders', position: 3 },
  ];
  expect(
    lexemes([field('name', { tokens: twice }), field('title', { tokens: twice.slice(1) })]).toSorted(),
  ).toEqual(['.name:', '.name:orders', '.title:', '.title:orders', 'orders']);
});

test('fields whose lexemes are equal because of a colon in a name make no lexeme twice', () => {
  const found = lexemes([
    field('a', { completions: ['b:E1'] }),
    field('a:=b', { exact: ['E1'] }),
    field('a:=b', { tokens: [{ token: 'E1', position: 1 }] }),
  ]);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toContain('.a:=b:E1');
});

const placed = (...words: readonly (readonly [string, number])[]) =>
  words.map(([token, position]) => ({ token, position }));

test('two words next to each other make a pair, and none is made across a gap, another field or a stem', () => {
  const found = lexemes([
    field('name', { tokens: placed(['daily', 1], ['Sdaili', 1], ['orders', 2], ['shop', 4]) }),
    field('title', { tokens: placed(['sales', 1]), queryByDefault: false }),
  ]);
  expect(found.filter((lexeme) => lexeme.startsWith('.:'))).toEqual([pairLexeme('daily', 'orders')]);
});

test('the pair of two words depends on their order and on where the first ends, and stems have none', () => {
  const pairs = [pairLexeme('daily', 'orders'), pairLexeme('orders', 'daily'), pairLexeme('dail', 'yorders')];
  expect(new Set(pairs).size).toBe(3);
  expect(pairs[0]).toMatch(/^\.:[\w-]{2}$/);
  expect(pairLexeme('Sdaili', 'orders')).toBeUndefined();
});
