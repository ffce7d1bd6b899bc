import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;

describe('A search that no entity meets', () => {
  const catalog = catalogForSuite();
  let position: string;
  beforeAll(async () => {
    for (const name of [
      'shop.customer_orders',
      'shop.customer_returns',
      'web.sessions',
      'web.website_visits',
    ]) {
      position = await catalog.http.write(dataset(name), 'datasetProperties', { name });
    }
  });

  const search = (input: string, body: JsonOutputObject = {}, action = 'search'): Promise<Answer> => {
    const types = action === 'search' ? { entity: 'dataset' } : { entities: ['dataset'] };
    return catalog.http.post(
      `/entities?action=${action}`,
      stringifyJson({ ...types, input, start: 0, count: 10, ...body }),
      { 'X-Stratalog-Wait-For': position },
    );
  };
  const found = async (...asked: Parameters<typeof search>): Promise<JsonObject> => {
    const answer = await search(...asked);
    expect(answer.status).toBe(200);
    const { metadata, numEntities } = at(answer.json, 'value') as JsonObject;
    const { urns, fallback = null, suggestions } = metadata as JsonObject;
    expect(numEntities).toBe((urns as readonly string[]).length);
    return { urns: urns ?? null, fallback, suggestions: suggestions ?? null };
  };

  it('finds similar words, and says so', async () => {
    for (const action of ['search', 'searchAcrossEntities']) {
      expect(await found('custom_ret', {}, action)).toEqual({
        urns: [dataset('shop.customer_returns')],
        fallback: 'similarWords',
        suggestions: [],
      });
    }
    expect(await found('web visi')).toMatchObject({
      urns: [dataset('web.website_visits')],
      fallback: 'similarWords',
    });
  });

  it('finds some of the words, those with more of them first', async () => {
    expect(await found('customer orders zebra')).toEqual({
      urns: [dataset('shop.customer_orders')],
      fallback: 'someWords',
      suggestions: [],
    });
    const { urns } = await found('customer zebra');
    expect(urns).toEqual([dataset('shop.customer_orders'), dataset('shop.customer_returns')]);
  });

  it('suggests another spelling, and finds it on demand', async () => {
    const suggestions = [
      { text: 'custmer_orders'.replace('custmer', 'customer'), score: 1 - 1 / 14, frequency: 1 },
    ];
    expect(await found('custmer_orders')).toEqual({
      urns: [dataset('shop.customer_orders')],
      fallback: 'someWords',
      suggestions,
    });
    expect(await found('sesions')).toMatchObject({ urns: [], fallback: null });
    expect(await found('sesions', { searchFlags: { correctSpelling: true } })).toMatchObject({
      urns: [dataset('web.sessions')],
      fallback: 'similarWords',
    });
  });

  it('pages through what it found instead', async () => {
    const page = await search('customer zebra', { start: 1, count: 1 });
    expect(at(page.json, 'value', 'metadata', 'urns')).toEqual([dataset('shop.customer_returns')]);
    expect(at(page.json, 'value', 'numEntities')).toBe(2);
  });

  it('stays without a match when the request takes it at its word, and in every call that reads all matches', async () => {
    const nothing = { urns: [], fallback: null, suggestions: [] };
    expect(await found('customer zebra', { searchFlags: { fulltext: false } })).toEqual(nothing);
    expect(await found('/q customer zebra')).toEqual(nothing);
    expect(await found('customer AND (zebra OR lion)')).toEqual(nothing);
    expect(await found('"customer zebra"')).toEqual(nothing);
    expect(await found('web ses sions', { searchFlags: { fulltext: false } })).toEqual(nothing);
    expect(await found('/q web ses sions')).toEqual(nothing);
    for (const input of ['customer zebra', 'web ses sions']) {
      const scrolled = await catalog.http.post(
        '/entities?action=scrollAcrossEntities',
        stringifyJson({ entities: ['dataset'], input, count: 10, keepAlive: '1m' }),
      );
      expect(scrolled.body).toContain('"numEntities":0');
    }
  });

  it('joins neighbouring words that the index has as one, and tells which flags have no effect', async () => {
    expect(await found('web ses sions')).toMatchObject({ urns: [dataset('web.sessions')], fallback: null });
    const warned = async (action: string, searchFlags: JsonOutputObject): Promise<string | undefined> =>
      (await search('sessions', { searchFlags }, action)).headers['x-stratalog-warnings'];
    const flags = { skipCache: true, correctSpelling: true, getSuggestions: true };
    expect(await warned('search', { ...flags, skipCache: false })).toBeUndefined();
    expect(await warned('search', flags)).toBe('["/searchFlags/skipCache has no effect"]');
    expect(await warned('scrollAcrossEntities', flags)).toContain(
      '"/searchFlags/correctSpelling has no effect","/searchFlags/getSuggestions has no effect"',
    );
  });

  it('knows words that were written a moment ago', async () => {
    expect(await found('zebr')).toMatchObject({ urns: [] });
    position = await catalog.http.write(dataset('zoo.zebras'), 'datasetProperties', { name: 'zoo.zebras' });
    expect(await found('zebr')).toMatchObject({ urns: [dataset('zoo.zebras')], fallback: 'similarWords' });
  });
});
