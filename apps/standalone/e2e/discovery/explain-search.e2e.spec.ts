import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const ORDERS = dataset('shop.customer_orders');
const COPY = dataset('shop.customer_orders_backup');
const RETURNS = dataset('shop.returns');
const SOFT_DELETED = dataset('shop.hidden_orders');

describe('GET /operations/search/explain', () => {
  const catalog = catalogForSuite();
  let position: string;
  beforeAll(async () => {
    const { http } = catalog;
    for (const urn of [ORDERS, COPY, SOFT_DELETED]) {
      const name = urn.split(',')[1] ?? '';
      position = await http.write(urn, 'datasetProperties', { name });
    }
    await http.write(RETURNS, 'datasetProperties', {
      name: 'returns',
      description: 'Orders of a customer that came back',
    });
    position = await http.write(SOFT_DELETED, 'status', { removed: true });
  });

  const explain = async (parameters: Readonly<Record<string, string>>): Promise<JsonObject> => {
    const answer = await catalog.http.get(
      `/operations/search/explain?${new URLSearchParams(parameters).toString()}`,
      { 'X-Stratalog-Wait-For': position },
    );
    if (answer.status !== 200) throw new Error(answer.body);
    return answer.json as JsonObject;
  };

  it('says at which rank an entity is, and what counts', async () => {
    const first = await explain({ urn: ORDERS, query: 'customer orders' });
    expect(first).toMatchObject({ found: true, rank: 1, total: 3 });
    expect(first.above).toBeUndefined();
    expect(at(first, 'reasons', '0')).toBe('Rank 1 of 3.');
    expect(first.terms).toEqual([
      { reason: 'a name equals "customerorders"', boost: 60, possible: 62 },
      { reason: 'a name has "customer"', boost: 10.5, possible: 10.5 },
      { reason: 'a name has "orders"', boost: 10.5, possible: 10.5 },
    ]);
    const sum = 1 + 60 + 10.5 + 10.5;
    expect(first.score).toBeCloseTo(sum * Number(at(first, 'document', 'weight')), 2);
  });

  it('says what the entity above has', async () => {
    const third = await explain({ urn: RETURNS, query: 'customer orders' });
    expect(third).toMatchObject({ found: true, rank: 3, above: { urn: COPY } });
    expect(at(third, 'above', 'reasons')).toEqual([
      '+20: a name begins with "customerorders".',
      '+10.5: a name has "customer".',
      '+10.5: a name has "orders".',
    ]);
    expect(at(third, 'terms', '0')).toEqual({
      reason: 'not: a whole name equals "customerorders"',
      boost: 0,
      possible: 62,
    });
  });

  it('says why an entity is not found', async () => {
    expect(await explain({ urn: RETURNS, query: 'zebra "came home" -back' })).toMatchObject({
      found: false,
      reasons: [
        'The entity lacks "zebra".',
        'The entity lacks the words "came home" side by side.',
        'The entity has what the query excludes: "back".',
      ],
    });
    expect(await explain({ urn: SOFT_DELETED, query: 'orders' })).toMatchObject({
      found: false,
      reasons: ['The entity is soft-deleted, and searches leave it out.'],
    });
    expect(await explain({ urn: ORDERS, query: 'orders', entity: 'chart' })).toMatchObject({
      found: false,
      reasons: ['The search is for chart, and the entity is a dataset.'],
    });
  });

  it('shows what the store gives and what the index holds', async () => {
    const { document, indexed } = await explain({ urn: ORDERS, query: '*' });
    expect(at(document, 'values', 'name')).toEqual(at(indexed, 'name'));
    expect(at(document, 'words', 'name')).toEqual(
      expect.arrayContaining(['customer', 'orders', 'customerorders']),
    );
  });

  it('rejects what is none', async () => {
    const status = async (path: string): Promise<number> =>
      (await catalog.http.get(`/operations/search/explain?${path}`)).status;
    expect(await status(`urn=${encodeURIComponent(dataset('no.such'))}&query=x`)).toBe(404);
    expect(await status('urn=none&query=x')).toBe(400);
    expect(await status(`urn=${encodeURIComponent(ORDERS)}`)).toBe(400);
    expect(await status(`urn=${encodeURIComponent(ORDERS)}&query=x&entity=nothing`)).toBe(400);
  });
});
