import { describe, expect, it } from '@jest/globals';
import type { FieldValue, SearchField } from '@stratalog/domain';
import { analyzeNames, writtenNames } from '@stratalog/search-text';
import { weighDocument } from './weigh-document';

const NAME: SearchField = {
  name: 'name',
  type: 'WORD_GRAM',
  queryByDefault: true,
  boost: 10,
  autocomplete: true,
  aliases: [],
};
const FIELDS = new Map([[NAME.name, NAME]]);

function weight(name: string, others: Readonly<Record<string, readonly FieldValue[]>> = {}): number {
  const values = new Map<string, readonly FieldValue[]>([['name', [name]], ...Object.entries(others)]);
  const written = writtenNames(FIELDS, values);
  return weighDocument(values, { tokens: analyzeNames(written), written });
}

describe('weighDocument', () => {
  it.each(['orders_backup', 'shop.orders_tmp_3', 'orders-20240131', 'sandbox.orders', 'ORDERS_OLD'])(
    'takes %s for a copy',
    (name) => {
      expect(weight(name)).toBeLessThan(0.9 * weight('orders') + 0.001);
    },
  );

  it.each(['latest_orders', 'contemporary_orders', 'orders_2024', 'goldorders', 'orders_120240131'])(
    'does not take %s for a copy',
    (name) => {
      expect(weight(name)).toBeGreaterThan(0.95 * weight('orders'));
    },
  );

  it('prefers short names, production, and documented assets', () => {
    expect(weight('orders')).toBeGreaterThan(weight('orders_of_customers'));
    expect(weight('shop.orders')).toBeGreaterThan(weight('shop.orders.v1'));
    expect(weight('orders', { origin: ['DEV'] })).toBeLessThan(weight('orders', { origin: ['PROD'] }));
    expect(weight('orders', { origin: ['PROD'] })).toBe(weight('orders'));
    expect(weight('orders', { owners: ['urn:li:corpuser:ada'] })).toBeGreaterThan(weight('orders'));
    expect(weight('orders', { editedDescription: ['x'], description: ['y'] })).toBe(
      weight('orders', { description: ['y'] }),
    );
  });

  it('never weighs an asset down so far that words decide nothing', () => {
    expect(weight(`${'long_'.repeat(60)}backup`, { origin: ['DEV'] })).toBeGreaterThan(0.6);
  });
});
