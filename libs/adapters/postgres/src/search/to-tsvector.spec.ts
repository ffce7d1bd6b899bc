import { expect, test } from '@jest/globals';
import type { FieldTokens } from '@stratalog/model';
import { toTsvector } from './to-tsvector';

const field = (name: string, more: Partial<FieldTokens>): FieldTokens => ({
  ...{ field: name, queryByDefault: true, boost: 1, tokens: [], exact: [], completions: [] },
  ...more,
});

function lexemes(text: readonly FieldTokens[]): readonly string[] {
  return toTsvector({ text, filters: {} }).flatMap(({ start, ends }) =>
    [...ends.keys()].map((end) => start + end),
  );
}

test('given a token twice in a field and once in another, then each lexeme is there once', () => {
  const twice = [
    { token: 'orders', position: 1 },
    { token: 'orders', position: 3 },
  ];
  expect(
    lexemes([field('name', { tokens: twice }), field('title', { tokens: twice.slice(1) })]).toSorted(),
  ).toEqual(['.name:', '.name:orders', '.title:', '.title:orders', 'orders']);
});

test('given fields whose lexemes are equal because of a colon in a name, then no lexeme is there twice', () => {
  const found = lexemes([
    field('a', { completions: ['b:E1'] }),
    field('a:=b', { exact: ['E1'] }),
    field('a:=b', { tokens: [{ token: 'E1', position: 1 }] }),
  ]);
  expect(new Set(found).size).toBe(found.length);
  expect(found).toContain('.a:=b:E1');
});
