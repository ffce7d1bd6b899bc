import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const tag = (name: string): string => `urn:li:tag:${name}`;
const platform = (name: string): string => `urn:li:dataPlatform:${name}`;
const dataset = (name: string, on = 'hive'): string => `urn:li:dataset:(${platform(on)},${name},PROD)`;

const ORDERS = dataset('shop.orders');
const RETURNS = dataset('shop.returns');
const EVENTS = dataset('web.order_events', 'kafka');
const SOFT_DELETED = dataset('shop.hidden_orders');
const CHART = 'urn:li:chart:(looker,baz1)';
const CONTAINER = 'urn:li:container:shop';
const stamp = { time: 1, actor: 'urn:li:corpuser:ada' };

describe('Discovery', () => {
  const catalog = catalogForSuite();
  let position: string;
  beforeAll(async () => {
    const { http } = catalog;
    const named = (urn: string, name: string) => http.write(urn, 'datasetProperties', { name });
    await http.write(tag('gold'), 'tagProperties', { name: 'Gold', description: '' });
    await http.write(CONTAINER, 'containerProperties', { name: 'The shop' });
    await named(ORDERS, 'Orders');
    await http.write(ORDERS, 'globalTags', { tags: [{ tag: tag('gold') }, { tag: tag('pii') }] });
    await http.write(ORDERS, 'subTypes', { typeNames: ['Table'] });
    await http.write(ORDERS, 'browsePathsV2', { path: [{ id: CONTAINER, urn: CONTAINER }, { id: 'daily' }] });
    await named(RETURNS, 'Returned orders');
    await http.write(RETURNS, 'globalTags', { tags: [{ tag: tag('pii') }] });
    await http.write(RETURNS, 'subTypes', { typeNames: ['View'] });
    await http.write(RETURNS, 'browsePathsV2', { path: [{ id: CONTAINER, urn: CONTAINER }] });
    await named(EVENTS, 'Order events');
    await named(SOFT_DELETED, 'Orders, hidden');
    await http.write(SOFT_DELETED, 'status', { removed: true });
    await http.write(CHART, 'browsePaths', { paths: ['/looker/baz1'] });
    position = await http.write(CHART, 'chartInfo', {
      title: 'Orders by day',
      description: '',
      lastModified: { created: stamp, lastModified: stamp },
    });
    await http.caughtUp();
  });

  const call = (action: string, body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(`/entities?action=${action}`, stringifyJson(body), {
      'X-Stratalog-Wait-For': position,
    });
  const value = async (action: string, body: JsonOutputObject): Promise<JsonObject> => {
    const answer = await call(action, body);
    if (answer.status !== 200) throw new Error(`${action}: ${answer.body}`);
    expect(answer.headers['x-stratalog-lag']).toBe('0');
    return at(answer.json, 'value') as JsonObject;
  };
  const page = { start: 0, count: 10 };
  const whereTag = (...values: readonly string[]) => ({ or: [{ and: [{ field: 'tags', values }] }] });

  it('marks the matched words of a search on demand', async () => {
    const search = async (searchFlags: JsonOutputObject) => {
      const { metadata } = await value('search', {
        ...page,
        entity: 'dataset',
        input: 'returned',
        searchFlags,
      });
      return at(metadata, 'matches', '0', 'matchedFields');
    };
    const matched = { name: 'name', value: 'Returned orders' };
    expect(await search({})).toContainEqual(matched);
    const fragment = { text: 'Returned orders', marks: [[0, 8]], isCut: false };
    expect(await search({ fragments: true })).toContainEqual({ ...matched, fragment });
  });

  describe('facets', () => {
    const facets = async (body: JsonOutputObject): Promise<Readonly<Record<string, JsonValue>>> => {
      const { metadata } = await value('searchAcrossEntities', { ...page, input: '*', ...body });
      const listed = at(metadata, 'searchResultMetadatas') as JsonObject[];
      return Object.fromEntries(
        listed.map(({ name, aggregations }) => [name as string, aggregations ?? null]),
      );
    };

    it('are all filters of the model, the types, and the sub-types below them', async () => {
      const all = await facets({ entities: ['dataset', 'chart'] });
      expect(all).toMatchObject({
        platform: { [platform('hive')]: 2, [platform('kafka')]: 1 },
        origin: { PROD: 3 },
        tags: { [tag('pii')]: 2, [tag('gold')]: 1 },
        typeNames: { Table: 1, View: 1 },
        tool: { looker: 1 },
        _entityType: { dataset: 3, chart: 1 },
        '_entityType␞typeNames': { dataset: 3, chart: 1, 'dataset␞Table': 1, 'dataset␞View': 1 },
      });
    });

    it('are those that a request names, with the names of the entities that their values are', async () => {
      const { metadata } = await value('search', {
        ...page,
        input: '*',
        entity: 'dataset',
        facets: ['tags'],
      });
      expect(at(metadata, 'aggregations')).toEqual([
        {
          name: 'tags',
          displayName: 'Tagged With',
          aggregations: { [tag('pii')]: 2, [tag('gold')]: 1 },
          filterValues: [
            { value: tag('pii'), entity: tag('pii'), facetCount: 2 },
            { value: tag('gold'), entity: tag('gold'), displayName: 'Gold', facetCount: 1 },
          ],
        },
      ]);
      const both = { facets: ['tags'], searchFlags: { includeDefaultFacets: true } };
      expect(Object.keys(await facets(both))).toEqual(expect.arrayContaining(['tags', 'platform']));
    });

    it('keep the values that a filter on the field itself does not select', async () => {
      const body = {
        entities: ['dataset'],
        facets: ['tags', 'typeNames'],
        filter: whereTag(tag('gold'), tag('none')),
      };
      const { numEntities, metadata } = await value('searchAcrossEntities', { ...page, input: '*', ...body });
      expect(numEntities).toBe(1);
      expect(at(metadata, 'aggregations', '0', 'filterValues')).toEqual([
        { value: tag('pii'), entity: tag('pii'), facetCount: 2 },
        { value: tag('gold'), entity: tag('gold'), displayName: 'Gold', facetCount: 1, filtered: true },
        { value: tag('none'), entity: tag('none'), facetCount: 0, filtered: true },
      ]);
      expect(at(metadata, 'aggregations', '1', 'aggregations')).toEqual({ Table: 1 });
    });

    it('end at a limit, or are left out', async () => {
      const one = { entities: ['dataset'], facets: ['tags'], searchFlags: { maxAggValues: '1' } };
      expect(await facets(one)).toEqual({ tags: { [tag('pii')]: 2 } });
      expect(await facets({ searchFlags: { skipAggregates: true } })).toEqual({});
    });

    it('are reported when no type has them', async () => {
      const answer = await call('searchAcrossEntities', { ...page, input: '*', facets: ['tagz', 'a␞b␞c'] });
      expect(at(answer.json, 'value', 'metadata', 'aggregations')).toEqual([]);
      const warnings = JSON.parse(String(answer.headers['x-stratalog-warnings'])) as string[];
      expect(warnings).toEqual(['/facets/tagz is unknown; did you mean tags?', '/facets/a␞b␞c is unknown']);
    });

    it.each([
      [{ facets: 'tags' }, '/facets :: "tags" is not a list'],
      [{ searchFlags: { maxAggValues: 0 } }, '/searchFlags/maxAggValues :: is not an integer from 1 to 1000'],
      [{ searchFlags: { skipAggregates: 'no' } }, '/searchFlags/skipAggregates :: is not true or false'],
    ])('reject %j', async (body, reason) => {
      const { status, json } = await call('searchAcrossEntities', { ...page, input: '*', ...body });
      expect([status, JSON.stringify(at(json, 'message'))]).toEqual([
        400,
        expect.stringContaining(reason.replaceAll('"', '\\"')),
      ]);
    });
  });

  describe('all types at once', () => {
    it('are searched, or those that a request names', async () => {
      const found = async (body: JsonOutputObject): Promise<JsonValue> =>
        [
          ...((await value('searchAcrossEntities', { ...page, input: 'orders', ...body }))
            .entities as string[]),
        ].sort();
      expect(await found({})).toEqual([CHART, ORDERS, RETURNS, EVENTS].sort());
      expect(await found({ entities: ['CHART'] })).toEqual([CHART]);
      const type = { or: [{ and: [{ field: '_entityType', values: ['DATASET'] }] }] };
      expect(await found({ filter: type })).toEqual([ORDERS, RETURNS, EVENTS].sort());
      expect((await call('searchAcrossEntities', { ...page, input: '*', entities: ['charts'] })).status).toBe(
        400,
      );
    });

    it('are scrolled with facets on the first page', async () => {
      const first = await value('scrollAcrossEntities', {
        input: 'orders',
        count: 2,
        facets: ['_entityType'],
      });
      expect(at(first.metadata, 'searchResultMetadatas')).toEqual([
        { name: '_entityType', aggregations: { dataset: 3, chart: 1 } },
      ]);
      const { scrollId = '' } = first;
      const second = await value('scrollAcrossEntities', { input: 'orders', count: 2, scrollId });
      expect(at(second.metadata, 'searchResultMetadatas')).toEqual([]);
      expect(second.entities).toHaveLength(2);
    });
  });

  describe('autocomplete', () => {
    const complete = async (
      query: string,
      body: JsonOutputObject = { entity: 'dataset' },
    ): Promise<JsonValue> => (await value('autocomplete', { query, limit: 10, ...body })).suggestions ?? null;

    it('answers in the contract’s form, with the entity of each suggestion', async () => {
      expect(await value('autocomplete', { query: 'order e', entity: 'dataset', limit: 10 })).toEqual({
        query: 'order e',
        suggestions: ['Order events'],
        entities: [{ urn: EVENTS }],
      });
    });

    it('ranks equal values, then beginnings, then words in any order, and leaves out soft-deleted entities', async () => {
      expect(await complete('ORDERS')).toEqual(['Orders', 'Returned orders']);
      expect(await complete('ord')).toEqual(['Orders', 'Order events', 'Returned orders']);
      expect(await complete('orders ret')).toEqual(['Returned orders']);
      expect(await complete('hidden')).toEqual([]);
      expect(await complete('rders')).toEqual([]);
    });

    it('covers several types, one field, a filter and a page', async () => {
      expect(await complete('orders', { entities: ['dataset', 'chart'] })).toContain('Orders by day');
      expect(await complete('gol', {})).toEqual(['Gold']);
      expect(await complete('shop.', { entity: 'dataset', field: 'id' })).toEqual([
        'shop.orders',
        'shop.returns',
      ]);
      expect(await complete('ord', { entity: 'dataset', filter: whereTag(tag('gold')) })).toEqual(['Orders']);
      expect(await complete('ord', { entity: 'dataset', start: 1, limit: 1 })).toEqual(['Order events']);
      expect(await complete('ord', { entity: 'dataset', limit: 0 })).toEqual([]);
    });

    it('includes soft-deleted entities where searchFlags ask for them, as browse does', async () => {
      const searchFlags = { includeSoftDeleted: true };
      expect(await complete('hidden', { entity: 'dataset', searchFlags })).toEqual(['Orders, hidden']);
      const browsed = { path: '', entity: 'dataset', start: 0, limit: 10, searchFlags };
      expect(await value('browse', browsed)).toMatchObject({ groups: [{ name: 'prod', count: 4 }] });
      const found = { entities: ['dataset'], input: 'hidden', start: 0, count: 10 };
      const counts = [];
      for (const flags of [{}, { searchFlags }]) {
        const { metadata } = await value('browseV2', { ...found, ...flags });
        counts.push(at(metadata, 'totalNumEntities'));
      }
      expect(counts).toEqual([0, 1]);
    });

    it('says which searchFlags have no effect, and rejects a flag of the wrong type', async () => {
      const body = { query: 'o', entity: 'dataset', limit: 1 };
      const { headers } = await call('autocomplete', { ...body, searchFlags: { skipAggregates: true } });
      expect(headers['x-stratalog-warnings']).toBe('["/searchFlags/skipAggregates has no effect"]');
      const wrong = await call('autocomplete', { ...body, searchFlags: { includeSoftDeleted: 'perhaps' } });
      expect([wrong.status, at(wrong.json, 'message')]).toEqual([
        400,
        expect.stringContaining('/searchFlags/includeSoftDeleted :: is not true or false'),
      ]);
    });

    it('names the fields that it completes when a request names another', async () => {
      const { status, json } = await call('autocomplete', {
        query: 'o',
        entity: 'dataset',
        limit: 1,
        field: 'nam',
      });
      expect([status, at(json, 'message')]).toEqual([
        400,
        expect.stringContaining("Parameter 'field': nam is not completed; did you mean name?"),
      ]);
    });
  });

  describe('browse', () => {
    const browse = (path: string, body: JsonOutputObject = {}): Promise<JsonObject> =>
      value('browse', { path, entity: 'dataset', start: 0, limit: 10, ...body });

    it('lists an entity whose path ends with its own name in the folder above, as the contract shows it', async () => {
      expect(await browse('/looker', { entity: 'chart' })).toEqual({
        numEntities: 1,
        pageSize: 10,
        from: 0,
        metadata: { totalNumEntities: 0, groups: [], path: '/looker' },
        entities: [{ name: 'baz1', urn: CHART }],
        groups: [],
        numGroups: 0,
        numElements: 1,
      });
      expect(await browse('/looker/baz1', { entity: 'chart' })).toMatchObject({ numEntities: 1 });
      expect(await browse('', { entity: 'chart' })).toMatchObject({ groups: [{ name: 'looker', count: 1 }] });
    });

    it('lists groups with counts, and then entities by urn', async () => {
      expect(await browse('')).toMatchObject({ groups: [{ name: 'prod', count: 3 }], numEntities: 0 });
      const groups = [
        { name: 'hive', count: 2 },
        { name: 'kafka', count: 1 },
      ];
      const prod = await browse('/prod');
      expect(prod).toMatchObject({
        groups,
        numGroups: 2,
        metadata: { groups, totalNumEntities: 3 },
        entities: [],
      });
      const shop = await browse('prod/hive/shop/');
      expect(shop.entities).toEqual([
        { name: 'shop.orders', urn: ORDERS },
        { name: 'shop.returns', urn: RETURNS },
      ]);
    });

    it('pages over groups and entities', async () => {
      const second = await browse('/prod', { start: 1, limit: 1 });
      expect(second).toMatchObject({
        groups: [{ name: 'kafka', count: 1 }],
        numGroups: 2,
        from: 1,
        pageSize: 1,
      });
      const last = await browse('/prod/hive/shop', { start: 1, limit: 1 });
      expect(last).toMatchObject({ entities: [{ urn: RETURNS }], numEntities: 2 });
    });

    it('is empty at an unknown path, and for a type without paths', async () => {
      const empty = { numEntities: 0, numGroups: 0, numElements: 0, entities: [], groups: [] };
      expect(await browse('/pro')).toMatchObject(empty);
      expect(await browse('/prod/hive/shop/orders/more')).toMatchObject(empty);
      expect(await browse('', { entity: 'tag' })).toMatchObject(empty);
    });

    it('applies a filter to groups and entities', async () => {
      expect(await browse('/prod', { filter: whereTag(tag('gold')) })).toMatchObject({
        groups: [{ name: 'hive', count: 1 }],
        metadata: { totalNumEntities: 1 },
      });
    });

    it('shows soft-deleted entities when the filter names them', async () => {
      const removed = { or: [{ and: [{ field: 'removed', value: 'true' }] }] };
      expect(await browse('/prod/hive/shop', { filter: removed })).toMatchObject({
        entities: [{ urn: SOFT_DELETED }],
      });
    });
  });

  describe('browseV2', () => {
    it('lists folders by container, with and without a query', async () => {
      const root = await value('browseV2', { entities: ['dataset'], ...page });
      expect(root).toMatchObject({
        groups: expect.arrayContaining([
          { name: CONTAINER, displayName: 'The shop', entity: CONTAINER, count: 2, hasSubGroups: true },
        ]) as unknown as JsonValue,
        numEntities: 0,
      });
      const inside = { entities: ['dataset'], ...page, path: [CONTAINER] };
      const shop = { name: 'daily', displayName: 'daily', count: 1, hasSubGroups: false };
      expect(await value('browseV2', inside)).toMatchObject({ groups: [shop], entities: [RETURNS] });
      expect(await value('browseV2', { ...inside, path: `␟${CONTAINER}` })).toMatchObject({ groups: [shop] });
      const found = await value('browseV2', { ...inside, input: 'returned' });
      expect(found).toMatchObject({
        groups: [],
        numGroups: 0,
        entities: [RETURNS],
        metadata: { path: `␟${CONTAINER}` },
      });
    });
  });

  describe('the examples of the documentation', () => {
    const TABLE = dataset('bar', 'foo');
    beforeAll(async () => {
      await catalog.http.write(TABLE, 'globalTags', { tags: [{ tag: tag('Engineering') }] });
      position = await catalog.http.write(CHART, 'chartInfo', {
        title: 'Baz Chart 1',
        description: '',
        lastModified: { created: stamp, lastModified: stamp },
      });
      await catalog.http.caughtUp();
    });
    const charts = { entity: 'chart', start: 0 };
    const where = (field: string, text: string) => ({
      filter: { or: [{ and: [{ field, value: text, condition: 'EQUAL' }] }] },
    });
    /** The printed answer; ours has more facets, and more members. */
    const found = (
      urn: string,
      matched: JsonOutputObject,
      facets: readonly JsonOutputObject[],
    ): JsonOutputObject => ({
      numEntities: 1,
      pageSize: 10,
      from: 0,
      entities: [urn],
      metadata: {
        urns: [urn],
        matches: [{ matchedFields: expect.arrayContaining([matched]) as unknown as JsonValue }],
        searchResultMetadatas: expect.arrayContaining([...facets]) as unknown as JsonValue,
      },
    });
    const looker = found(CHART, { name: 'tool', value: 'looker' }, [
      { name: 'tool', aggregations: { looker: 1 } },
    ]);
    const tagged = found(TABLE, { name: 'tags', value: tag('Engineering') }, [
      { name: 'platform', aggregations: { [platform('foo')]: 1 } },
      { name: 'origin', aggregations: { PROD: 1 } },
    ]);
    const completed = (query: string) => ({ query, suggestions: ['Baz Chart 1'] });

    it.each<[string, JsonOutputObject, JsonOutputObject]>([
      ['search', { ...charts, input: 'looker', count: 10 }, looker],
      ['search', { ...page, input: 'tags:Engineering', entity: 'dataset' }, tagged],
      ['search', { ...charts, input: 'looker', count: 10, ...where('title', 'Baz Chart 1') }, looker],
      ['autocomplete', { ...charts, query: 'Baz Ch', limit: 10 }, completed('Baz Ch')],
      [
        'autocomplete',
        { ...charts, query: 'Baz C', limit: 10, ...where('tool', 'looker') },
        completed('Baz C'),
      ],
    ])('%s %j', async (action, body, answer) => {
      expect(await value(action, body)).toMatchObject(answer);
    });
  });
});
