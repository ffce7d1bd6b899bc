import { describe, expect, test } from '@jest/globals';
import type { SearchField } from '@stratalog/domain';
import { analyzeField } from '../analysis/analyze-field';
import { boundTokens } from '../analysis/bound-tokens';
import { parseQuery } from '../query/parse-query';
import { matches } from './matches';

const PATHS: SearchField = {
  ...{ name: 'fieldPaths', type: 'TEXT', queryByDefault: true, boost: 1, autocomplete: false, aliases: [] },
};
const FIELDS = new Map([[PATHS.name, PATHS]]);

/** Names of columns: each has a word of its own, and most have words in common. */
const NAMES: readonly (readonly [string, (at: number) => string])[] = [
  ['a word', (at) => `w${letters(at)}`],
  ['snake case', (at) => `customer_order_${letters(at)}`],
  ['camel case', (at) => `customerOrderId${letters(at)}`],
  ['a number at the end', (at) => `customer_orders_id_${String(at)}`],
];

const FORMS: readonly (readonly [string, (name: string) => string, string])[] = [
  ['a plain name', (name) => name, ''],
  ['a plain path', (name) => `after.${name}`, 'after.'],
  [
    'a deep plain path',
    (name) => `payload.order.shipping.address.${name}`,
    'payload.order.shipping.address.',
  ],
  ['a typed column', (name) => `[version=2.0].[type=string].${name}`, ''],
  [
    'a change record',
    (name) => `[version=2.0].[type=Envelope].[type=Row].after.[type=string].${name}`,
    'after.',
  ],
  ['a key', (name) => `[version=2.0].[key=True].[type=Key].[type=decimal(10,2)].${name}`, ''],
  [
    'a deep schema of records',
    (name) =>
      `[version=2.0].[type=Envelope].payload.[type=array].[type=Order].order.[type=Shipping].shipping.[type=map].[type=Address].address.[type=integer[]].${name}`,
    'payload.order.shipping.address.',
  ],
];

const COUNT = 1_000;
/** The columns that are searched: some of all, and the last ones, which a limit would take first. */
const isSearched = (at: number): boolean => at % 50 === 0 || at >= COUNT - 10;

describe.each(FORMS)('a table whose columns have %s', (_, written, path) => {
  test.each(NAMES)('has a thousand columns with %s that are found by name and path', (_name, nameOf) => {
    const names = Array.from({ length: COUNT }, (_each, at) => nameOf(at));
    const text = boundTokens([analyzeField(PATHS, names.map(written))]);
    const isFound = (query: string): boolean => matches(parseQuery(query, FIELDS), text);
    const missed = (query: (name: string) => string): readonly string[] =>
      names.filter((name, at) => isSearched(at) && !isFound(query(name)));
    expect(missed((name) => name)).toEqual([]);
    expect(missed((name) => `fieldPaths:"${name}"`)).toEqual([]);
    expect(missed((name) => `fieldPaths:"${written(name)}"`)).toEqual([]);
    expect(missed((name) => `fieldPaths:"${path}${name}"`)).toEqual([]);
    expect(missed((name) => `${path}${name}`)).toEqual([]);
    for (const query of [
      'type',
      'version',
      '"2.0"',
      'envelope',
      'fieldPaths:key',
      'zzz',
      'fieldPaths:"zzz.after"',
    ]) {
      expect([query, isFound(query)]).toEqual([query, false]);
    }
  });
});

test('a phrase of some steps in the middle of a path matches where columns are few', () => {
  const text = [analyzeField(PATHS, ['[version=2.0].[type=A].a.[type=B].b.[type=C].c.[type=string].d'])];
  expect(matches(parseQuery('fieldPaths:"b.c"', FIELDS), text)).toBe(true);
  expect(matches(parseQuery('fieldPaths:"a.c"', FIELDS), text)).toBe(false);
});

test('all words of prose with brackets are found', () => {
  const text = [analyzeField(PATHS, ['the list [type=string] of a column, x[key=1].y'])];
  for (const word of ['type', 'string', 'key']) expect(matches(parseQuery(word, FIELDS), text)).toBe(true);
});

/** A word of letters for a number, different from every English stem. */
function letters(at: number): string {
  const digits = Array.from(
    at.toString(26),
    (digit) => 'qwrtpsdfghjklzxcvbnmaeiouy'[parseInt(digit, 26)] ?? '',
  );
  return `x${digits.join('')}q`;
}
