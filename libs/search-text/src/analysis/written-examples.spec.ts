import { describe, expect, it } from '@jest/globals';
import type { SearchField } from '@stratalog/domain';
import { analyzeField } from './analyze-field';

/*
 * Examples of the analysis of names and texts, written by hand from the rules in the README: no expectation below is computed
 * by the code under test. Words of one position stand together, the joined ones behind the plain word.
 */

const TEXT: SearchField = {
  name: 'text',
  type: 'TEXT',
  queryByDefault: true,
  boost: 1,
  autocomplete: false,
  aliases: [],
};

const hex = (text: string): string => `X${Buffer.from(text).toString('hex')}`;

/** The words by position, without stems; a position without a word separates two values. */
function analyzeWords(...values: readonly string[]): readonly string[] {
  const places = new Map<number, string[]>();
  let last = 0;
  for (const { token, position } of analyzeField(TEXT, values).tokens) {
    last = position;
    if (!token.startsWith('S')) places.set(position, [...(places.get(position) ?? []), token]);
  }
  return Array.from({ length: last }, (_, at) =>
    (places.get(at + 1) ?? []).sort((a, b) => a.length - b.length).join('+'),
  );
}

describe('the analysis', () => {
  it.each([
    ['orders', 'orders'],
    ['customer_orders', 'customer+customerorders orders'],
    ['customerOrders', 'customer+customerorders orders'],
    ['CustomerOrders', 'customer+customerorders orders'],
    ['customer-orders', 'customer+customerorders orders'],
    ['CUSTOMER_ORDERS', 'customer+customerorders orders'],
    ['customer__orders', 'customer+customerorders orders'],
    ['_customer_orders_', 'customer+customerorders orders'],
    ['customer orders', 'customer orders'],
    ['sales.customer_orders', 'sales customer+customerorders orders'],
    ['dim_customerOrders', 'dim+dimcustomerorders customer+customerorders orders'],
    ['s3://lake/raw/order_items', 's3 lake raw order+orderitems items'],
    ['HTTPServer', 'http+httpserver server'],
    ['HTTPServer2', 'http+httpserver2 server 2'],
    ['parseJSON', 'parse+parsejson json'],
    ['myURLs', 'my+myurls urls'],
    ['userID2', 'user+userid2 id 2'],
    ['iPhone', 'i+iphone phone'],
    ['orders2024', 'orders+orders2024 2024'],
    ['2024-01-31', '2024+20240131 01 31'],
    ['v2', 'v2'],
    ['k8s', 'k8s'],
    ['x86_64', 'x86+x8664 64'],
    ['3DModel', '3d+3dmodel model'],
    ["the customer's order", 'the customer order'],
    ["don't", 'don+dont t'],
    ['real-time feed', 'real+realtime time feed'],
    ['owner=Finance & Risk (EMEA)', 'owner finance risk emea'],
    ['ada@example.com', 'ada example com'],
    ['100 %', '100'],
    ['C++, C#', 'c c'],
    ['Café Straße Łódź', 'cafe strasse lodz'],
    ['ﬁnance', 'finance'],
    ['ord\u00aders', 'orders'],
  ])('reads %s', (text, words) => {
    expect(analyzeWords(text).join(' ')).toBe(words);
  });

  it.each([
    ['Привет мир', ['привет', 'мир']],
    ['顧客データ', ['顧', '客', 'デ', 'ー', 'タ']],
    ['κόσμος', ['κόσμοσ']],
  ])('encodes the words of %s', (text, words) => {
    expect(analyzeWords(text)).toEqual(words.map((word) => hex(word.normalize('NFC'))));
  });

  it('keeps a position between two values free, so that no phrase spans them', () => {
    expect(analyzeWords('daily orders', 'monthly')).toEqual(['daily', 'orders', '', 'monthly']);
  });

  it.each([
    ['running', 'Srun'],
    ['customers', 'Scustom'],
    ['orders', 'Sorder'],
    ['policies', 'Spolici'],
    ['daily_totals', 'Sdailytotal'],
  ])('adds the stem of %s', (text, stem) => {
    expect(analyzeField(TEXT, [text]).tokens.map(({ token }) => token)).toContain(stem);
  });

  it.each(['order', 'data', 'sales2024x', 'v2'])(
    'adds no stem to %s, which is its own or has none',
    (text) => {
      const stems = analyzeField(TEXT, [text]).tokens.filter(({ token }) => token === `S${text}`);
      expect(stems).toEqual([]);
    },
  );
});
