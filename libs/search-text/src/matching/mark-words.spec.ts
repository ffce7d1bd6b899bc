import { describe, expect, it } from '@jest/globals';
import type { SearchField } from '@stratalog/domain';
import { parseQuery } from '../query/parse-query';
import { markWords } from './mark-words';

const TEXT: SearchField = {
  name: 'description',
  type: 'TEXT',
  queryByDefault: true,
  boost: 1,
  autocomplete: false,
  aliases: [],
};
const TAGS: SearchField = { ...TEXT, name: 'tags', type: 'URN' };
const FIELDS = new Map([TEXT, TAGS].map((field) => [field.name, field]));

/** The text with its marks in brackets. */
function marked(query: string, value: string, field = TEXT): string | undefined {
  const fragment = markWords(parseQuery(query, FIELDS), field, value);
  if (fragment === undefined) return undefined;
  let text = '';
  let at = 0;
  for (const [from, to] of fragment.marks) {
    text += `${fragment.text.slice(at, from)}[${fragment.text.slice(from, to)}]`;
    at = to;
  }
  return text + fragment.text.slice(at) + (fragment.isCut ? '…' : '');
}

describe('markWords', () => {
  it.each([
    ['orders', 'Every Order, and all orders.', 'Every [Order], and all [orders].'],
    ['orders', 'from customer_orders on', 'from [customer_orders] on'],
    ['"daily orders"', 'orders: daily orders', '[orders]: [daily] [orders]'],
    ['ord*', 'an ordinary order', 'an [ordinary] [order]'],
    ['*rder*', 'borders and order', '[borders] and [order]'],
    ['strasse -orders', 'Straße of orders', '[Straße] of orders'],
    ['description:daily other', 'daily sums', '[daily] sums'],
    ['orders OR sums', 'daily sums', 'daily [sums]'],
    ['日本', '顧客は日本です', '[顧客は日本です]'],
  ])('marks %s in "%s"', (query, value, expected) => {
    expect(marked(query, value)).toBe(expected);
  });

  it('marks a whole value that matched as such', () => {
    expect(marked('tags:Legacy', 'urn:li:tag:Legacy', TAGS)).toBe('[urn:li:tag:Legacy]');
  });

  it('marks nothing where nothing matched', () => {
    for (const query of ['*', 'nothing', '-orders', 'tags:orders'])
      expect(marked(query, 'all orders')).toBeUndefined();
  });

  it('cuts a long value around its first mark', () => {
    const value = `${'before '.repeat(100)}orders ${'behind '.repeat(100)}`;
    const text = marked('orders', value) ?? '';
    expect(text.length).toBeLessThanOrEqual(203);
    expect(text).toMatch(/^before .*\[orders\] behind .*…$/);
    expect(marked('orders', `${'x'.repeat(30_000)} orders`)).toBeUndefined();
  });
});
