import { describe, expect, test } from '@jest/globals';
import type { FieldTokens, FieldValue, SearchField, SearchFieldType } from '@stratalog/domain';
import fc from 'fast-check';
import { analyzeField } from '../analysis/analyze-field';
import { FieldMatcher } from './matched-fields';
import { matches } from './matches';
import { parseQuery } from '../query/parse-query';

const field = (name: string, type: SearchFieldType, queryByDefault = true): [string, SearchField] => [
  name,
  { name, type, queryByDefault, boost: 1, autocomplete: false, aliases: [] },
];
const FIELDS = new Map([
  field('name', 'WORD_GRAM'),
  field('description', 'TEXT'),
  field('tags', 'URN'),
  field('platform', 'URN'),
  field('upstreams', 'URN', false),
  field('fields', 'TEXT', false),
]);
type Values = Readonly<Record<string, readonly FieldValue[]>>;

function toText(values: Values): readonly FieldTokens[] {
  return [...FIELDS.values()].flatMap((each) => {
    const own = values[each.name];
    return own === undefined ? [] : [analyzeField(each, own)];
  });
}
const found = (query: string, values: Values) => matches(parseQuery(query, FIELDS), toText(values));

describe('spellings of one name', () => {
  const spellings = [
    'customer_orders',
    'customerOrders',
    'CustomerOrders',
    'customer-orders',
    'CUSTOMER_ORDERS',
  ];

  test.each(spellings)('all find %s', (name) => {
    for (const query of [
      ...spellings,
      'customerorders',
      'customer orders',
      '"customer orders"',
      'customer_order',
      'customer_ord*',
      'customerord*',
    ]) {
      expect([query, found(query, { name: [name] })]).toEqual([query, true]);
    }
  });

  test('find a name without boundaries as one word', () => {
    for (const query of [...spellings, 'customerorders', 'customero*']) {
      expect([query, found(query, { name: ['customerorders'] })]).toEqual([query, true]);
    }
    expect(found('customer orders', { name: ['customerorders'] })).toBe(false);
  });

  test('find a longer name by its parts, also written together where a capital shows the boundary', () => {
    for (const query of [
      'customerOrders',
      'customer_orders',
      'customerorders',
      'dim_customerorders',
      'orders',
    ]) {
      expect([query, found(query, { name: ['dim_customerOrders'] })]).toEqual([query, true]);
    }
    expect(found('orders_customer', { name: ['dim_customerOrders'] })).toBe(false);
  });
});

test('parts of a text in a script without blanks, or with accents, find it', () => {
  const text: Values = { description: ['顧客データの一覧', '데이터를 보다', 'Café Zoë'] };
  for (const query of ['データ', '一覧', '顧客デ*', '데이터', 'cafe', 'CAFÉ', 'zoe']) {
    expect([query, found(query, text)]).toEqual([query, true]);
  }
  expect(found('覧一', text)).toBe(false);
});

describe('matches', () => {
  const hive: Values = {
    name: ['sales.daily_runs'],
    description: ['All runs of the day', 'night shift'],
    tags: ['urn:li:tag:Legacy', 'urn:li:tag:top secret'],
    platform: ['urn:li:dataPlatform:hive'],
    upstreams: ['urn:li:dataset:(urn:li:dataPlatform:kafka,a.b,PROD)'],
  };

  test.each([
    ['hive', true],
    ['Running', true],
    ['"running"', false],
    ['"daily runs"', true],
    ['daily_run', true],
    ['"daily ru"*', true],
    ['"day night"', false],
    ['"shift"', true],
    ['tags:Legacy', true],
    ['tags:legacy', true],
    ['tags:urn:li:tag:Legacy', true],
    ['tags:Leg', false],
    ['tags:Leg*', true],
    ['tags:"top secret"', true],
    ['tags:urn:li:tag:top\\ secret', true],
    ['platform:hive', true],
    ['kafka', false],
    ['upstreams:kafka', true],
    ['upstreams:urn:li:dataset:(urn:li:dataPlatform:kafka,a.b,PROD)', true],
    ['upstreams:a', false],
    ['upstreams:*', true],
    ['fields:*', false],
    ['-fields:*', true],
    ['hive -legacy', false],
    ['name:hive', false],
    ['nothing OR hive', true],
    ['*', true],
    ['&', false],
  ])('given %s, then %s', (query, expected) => {
    expect(found(query, hive)).toBe(expected);
  });
});

describe('FieldMatcher', () => {
  const values: Values = {
    name: ['sales.daily'],
    description: ['Daily sales', 'other', 'Daily sales'],
    tags: ['urn:li:tag:Daily', 'urn:li:tag:PII'],
    upstreams: ['urn:li:dataset:(urn:li:dataPlatform:kafka,daily,PROD)'],
  };
  const matched = (query: string) =>
    new FieldMatcher(parseQuery(query, FIELDS), FIELDS)
      .match(values)
      .map(({ name, value }) => `${name}=${value}`);

  test('finds each value with a word once, in the order of fields', () => {
    expect(matched('daily')).toEqual([
      'name=sales.daily',
      'description=Daily sales',
      'tags=urn:li:tag:Daily',
    ]);
  });

  test('looks in named fields only, also in those that are not searched by default', () => {
    expect(matched('tags:PII')).toEqual(['tags=urn:li:tag:PII']);
    expect(matched('upstreams:daily')).toEqual([`upstreams=${String(values.upstreams?.[0])}`]);
    expect(matched('tags:*')).toEqual(['tags=urn:li:tag:Daily', 'tags=urn:li:tag:PII']);
  });

  test('finds nothing for exclusions, nor for everything', () => {
    expect(matched('other -daily')).toEqual(['description=other']);
    expect(matched('*')).toEqual([]);
    expect(matched('-(-other)')).toEqual(['description=other']);
  });

  test('finds no values under names that every object inherits', () => {
    const fields = new Map([field('constructor', 'TEXT')]);
    expect(new FieldMatcher(parseQuery('constructor:*', fields), fields).match({})).toEqual([]);
  });
});

describe('properties', () => {
  const word = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9]{1,12}$/),
    fc.stringMatching(/^[a-z]{1,6}(?:[_.-][A-Za-z0-9]{1,6}){1,3}$/),
    fc.constantFrom(
      'customerOrders',
      'HTTPServer2',
      'Café',
      'Привет',
      '顧客データ',
      "team's",
      'ΟΔΟΣ',
      'AND',
      'or',
      'x'.repeat(300),
    ),
  );
  const text = fc.array(word, { minLength: 1, maxLength: 30 });

  test('every text is found by each of its words', () => {
    fc.assert(
      fc.property(text, fc.nat(), (words, pick) => {
        const query = words[pick % words.length] ?? '';
        expect(found(query, { description: [words.join(' ')] })).toBe(true);
        expect(found(`${query}*`, { description: [words.join(' ')] })).toBe(true);
        expect(found(`description:${query}`, { description: [words.join(' ')] })).toBe(true);
      }),
    );
  });

  test('every text is found by each run of its words, in quotes or not', () => {
    fc.assert(
      fc.property(text, fc.nat(), fc.integer({ min: 1, max: 8 }), (words, pick, length) => {
        const from = pick % words.length;
        const run = words.slice(from, from + length).join(' ');
        expect(found(`"${run}"`, { description: ['before', words.join(' ')] })).toBe(true);
        expect(found(run.replace(/\b(AND)\b/g, '\\$1'), { description: [words.join(' ')] })).toBe(true);
      }),
    );
  });

  test('properties not inverts the result', () => {
    fc.assert(
      fc.property(text, fc.string(), (words, query) => {
        const node = parseQuery(query, FIELDS);
        const tokens = toText({ description: [words.join(' ')] });
        expect(matches({ kind: 'not', node }, tokens)).toBe(!matches(node, tokens));
      }),
    );
  });

  test('a document that a word finds has a matched field', () => {
    fc.assert(
      fc.property(text, fc.nat(), (words, pick) => {
        const query = parseQuery(words[pick % words.length] ?? '', FIELDS);
        const values = { name: ['zz'], description: [words.join(' ')] };
        expect(new FieldMatcher(query, FIELDS).match(values)).toContainEqual({
          name: 'description',
          value: words.join(' '),
        });
      }),
    );
  });
});
