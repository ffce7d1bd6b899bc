import { describe, expect, it } from '@jest/globals';
import type { SearchField } from '@stratalog/domain';
import { analyzeField } from '../analysis/analyze-field';
import { matches } from '../matching/matches';
import { parseQuery } from '../query/parse-query';
import { Synonyms } from './synonyms';
import { USUAL_SYNONYMS } from './usual-synonyms';

const NAME: SearchField = {
  name: 'name',
  type: 'WORD_GRAM',
  queryByDefault: true,
  boost: 10,
  autocomplete: false,
  aliases: [],
};
const FIELDS = new Map([[NAME.name, NAME]]);
const finds = (query: string, name: string): boolean =>
  matches(parseQuery(query, FIELDS, USUAL_SYNONYMS), [analyzeField(NAME, [name])]);

describe('Synonyms', () => {
  it('stand for each other across the sign, in any number, and not on one side', () => {
    const synonyms = Synonyms.parse('# comment\n\ninv = invoice, inventory\r\n cust=customer ');
    expect(synonyms.of('inv')).toEqual(['invoice', 'inventory']);
    expect(synonyms.of('invoices')).toEqual(['inv']);
    expect(synonyms.of('customers')).toEqual(['cust']);
    expect(synonyms.of('inventory')).toEqual(['inv']);
    expect(synonyms.of('orders')).toEqual([]);
  });

  it.each(['cust', 'cust =', '= customer', 'a = b = c', 'cust = customer name', 'a, b = c', 'a = b,'])(
    'reject the line %s',
    (line) => {
      expect(() => Synonyms.parse(`x = y\n${line}`)).toThrow('Line 2 is not of the form');
    },
  );

  it.each([
    ['cust', 'dim_customers'],
    ['customer', 'dim_cust'],
    ['cust orders', 'orders_of_customers'],
    ['cust_orders', 'customer_orders'],
    ['customer_orders', 'stg_cust_orders'],
    ['qty', 'order_quantity'],
    ['order_qty', 'order_quantity'],
    ['name:txn', 'transactions'],
  ])('find by %s the name %s', (query, name) => {
    expect(finds(query, name)).toBe(true);
  });

  it.each([
    ['"cust"', 'customer'],
    ['"cust orders"', 'customer orders'],
    ['invoice', 'inventory'],
    ['-cust', 'customer'],
  ])('do not find by %s the name %s', (query, name) => {
    expect(finds(query, name)).toBe(false);
  });

  it('keep the number of phrases of one term bounded', () => {
    const synonyms = Synonyms.parse(`a = ${'bcdefghij'.split('').join(', ')}`);
    const query = parseQuery('a_a_a_a', FIELDS, synonyms);
    expect(query.kind === 'or' ? query.nodes.length : 0).toBeLessThanOrEqual(9);
  });
});
