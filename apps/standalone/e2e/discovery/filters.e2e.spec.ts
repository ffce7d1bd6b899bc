import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const tag = (name: string): string => `urn:li:tag:${name}`;
const dataset = (name: string, platform = 'hive'): string =>
  `urn:li:dataset:(urn:li:dataPlatform:${platform},${name},PROD)`;
const HIVE = 'urn:li:dataPlatform:hive';
const stamp = (time: number) => ({ time, actor: 'urn:li:corpuser:ada' });

const ORDERS = dataset('shop.orders');
const RETURNS = dataset('shop.returns');
const EVENTS = dataset('web.events', 'kafka');
const SOFT_DELETED = dataset('shop.hidden');
const CHART = 'urn:li:chart:(looker,orders)';

describe('Filters, orders and scrolls', () => {
  const catalog = catalogForSuite();
  let position: string;
  beforeAll(async () => {
    const { http } = catalog;
    const described = (urn: string, value: JsonOutputObject) => http.write(urn, 'datasetProperties', value);
    await described(ORDERS, {
      name: 'Orders, daily',
      customProperties: { team: 'sales', tier: '1' },
      lastModified: stamp(3_000),
    });
    await described(RETURNS, { name: 'returns', description: '100% of it', lastModified: stamp(1_000) });
    await described(EVENTS, { name: 'events', customProperties: { team: 'web' } });
    await http.write(ORDERS, 'globalTags', { tags: [{ tag: tag('pii') }, { tag: tag('gold') }] });
    await http.write(EVENTS, 'globalTags', { tags: [{ tag: tag('gold') }] });
    const inColumn = {
      description: 'of a column',
      globalTags: { tags: [{ tag: tag('secret') }] },
      glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Pii' }], auditStamp: stamp(1) },
    };
    await http.write(ORDERS, 'schemaMetadata', {
      schemaName: 'orders',
      platform: HIVE,
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields: [
        {
          fieldPath: 'id',
          nativeDataType: 'text',
          type: { type: { 'com.linkedin.schema.StringType': {} } },
          ...inColumn,
        },
      ],
    });
    await http.write(EVENTS, 'editableSchemaMetadata', {
      editableSchemaFieldInfo: [{ fieldPath: 'id', ...inColumn }],
    });
    await http.write(RETURNS, 'subTypes', { typeNames: ['View'] });
    await http.write(RETURNS, 'status', { removed: false });
    await described(SOFT_DELETED, { name: 'hidden', lastModified: stamp(2_000) });
    await http.write(SOFT_DELETED, 'status', { removed: true });
    await described(dataset('gone'), { name: 'gone' });
    await http.ingest({
      urn: dataset('gone'),
      aspectName: 'datasetKey',
      value: {},
      members: { changeType: 'DELETE', aspect: undefined },
    });
    const times = { created: stamp(1), lastModified: stamp(1) };
    position = await http.write(CHART, 'chartInfo', {
      title: 'Orders',
      description: '',
      lastModified: times,
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
    return at(answer.json, 'value') as JsonObject;
  };
  const page = { entity: 'dataset', start: 0, count: 10 };
  const filtered = async (...and: readonly JsonOutputObject[]): Promise<JsonValue> =>
    [...((await value('filter', { ...page, filter: { or: [{ and }] } })).entities as string[])].sort();

  it.each<[string, JsonOutputObject, readonly string[]]>([
    ['a whole value', { field: 'platform', value: HIVE }, [ORDERS, RETURNS]],
    [
      'a whole value of the key',
      { field: 'platform.keyword', value: HIVE, condition: 'EQUAL' },
      [ORDERS, RETURNS],
    ],
    ['no value in other letters', { field: 'origin', value: 'prod' }, []],
    [
      'a value in other letters',
      { field: 'origin', value: 'prod', condition: 'IEQUAL' },
      [ORDERS, RETURNS, EVENTS],
    ],
    ['one of several', { field: 'tags', values: [tag('pii'), tag('x')], condition: 'IN' }, [ORDERS]],
    ['one of several, by the older list', { field: 'typeNames', value: 'Table,View' }, [RETURNS]],
    ['a comma in a value', { field: 'name', value: 'Orders, daily' }, [ORDERS]],
    ['another one', { field: 'tags', value: tag('gold'), negated: true }, [RETURNS]],
    ['an entry of a map', { field: 'customProperties', value: 'team=sales' }, [ORDERS]],
    ['a tag of columns, edited or not', { field: 'fieldTags', value: tag('secret') }, [ORDERS, EVENTS]],
    ['an edited tag of columns alone', { field: 'editedFieldTags', value: tag('secret') }, [EVENTS]],
    [
      'a term of columns, edited or not',
      { field: 'fieldGlossaryTerms.keyword', values: ['urn:li:glossaryTerm:Pii'], condition: 'IN' },
      [ORDERS, EVENTS],
    ],
    [
      'a description of columns, edited or not',
      { field: 'fieldDescriptions', value: 'a column', condition: 'CONTAIN' },
      [ORDERS, EVENTS],
    ],
    ['no tag of columns, edited or not', { field: 'fieldTags', condition: 'IS_NULL' }, [RETURNS]],
    ['an alias', { field: '_entityName', value: 'events' }, [EVENTS]],
    ['the urn', { field: 'urn', values: [EVENTS, CHART] }, [EVENTS]],
    ['a part', { field: 'description', value: ' % OF ', condition: 'CONTAIN' }, [RETURNS]],
    ['a beginning', { field: 'name', value: 'ORD', condition: 'START_WITH' }, [ORDERS]],
    ['an end', { field: 'name', values: ['s', 'X'], condition: 'END_WITH' }, [EVENTS, RETURNS]],
    ['something', { field: 'tags', condition: 'EXISTS' }, [ORDERS, EVENTS]],
    ['nothing', { field: 'tags', condition: 'IS_NULL' }, [RETURNS]],
    ['not nothing', { field: 'tags', condition: 'IS_NULL', negated: true }, [ORDERS, EVENTS]],
    ['truth', { field: 'hasDescription', value: 'true' }, [RETURNS]],
    ['a number', { field: 'lastModifiedAt', value: '3000' }, [ORDERS]],
    ['more', { field: 'lastModifiedAt', value: '1000', condition: 'GREATER_THAN' }, [ORDERS]],
    [
      'no less',
      { field: 'lastModifiedAt', value: 1000, condition: 'GREATER_THAN_OR_EQUAL_TO' },
      [ORDERS, RETURNS],
    ],
    ['less', { field: 'lastModifiedAt', value: '3000', condition: 'LESS_THAN' }, [RETURNS]],
    ['no more', { field: 'lastModifiedAt', value: '1000', condition: 'LESS_THAN_OR_EQUAL_TO' }, [RETURNS]],
    ['between', { field: 'lastModifiedAt', values: ['999', '1e3'], condition: 'BETWEEN' }, [RETURNS]],
    ['what is soft-deleted', { field: 'removed', value: 'true' }, [SOFT_DELETED]],
    [
      'what is not soft-deleted, with a status or without',
      { field: 'removed', value: 'false' },
      [ORDERS, RETURNS, EVENTS],
    ],
    [
      'soft-deleted or not, as old clients say it',
      { field: 'removed', value: '' },
      [ORDERS, RETURNS, EVENTS, SOFT_DELETED],
    ],
  ])('find %s', async (_name, criterion, urns) => {
    expect(await filtered(criterion)).toEqual([...urns].sort());
  });

  it('filters join criteria by and, lists by or', async () => {
    const hive = { field: 'platform', value: HIVE };
    const gold = { field: 'tags', value: tag('gold') };
    expect(await filtered(hive, gold)).toEqual([ORDERS]);
    const either = {
      or: [{ and: [hive, { ...gold, negated: true }] }, { and: [{ field: 'name', value: 'events' }] }],
    };
    expect(await value('filter', { ...page, filter: either })).toMatchObject({
      numEntities: 2,
      from: 0,
      pageSize: 10,
    });
    const older = { criteria: [hive, gold] };
    expect((await value('list', { ...page, filter: older })).entities).toEqual([ORDERS]);
    for (const everything of [{}, { or: [] }, { or: [{}, { and: [hive] }] }, { or: [{ and: [] }] }]) {
      expect(await value('filter', { ...page, filter: everything })).toMatchObject({ numEntities: 3 });
    }
  });

  it('filters restrict a text search, and its facets', async () => {
    const filter = { or: [{ and: [{ field: 'platform', value: HIVE }] }] };
    const answer = await catalog.http.post(
      '/entities?action=search',
      stringifyJson({ ...page, input: 'orders OR events', filter }),
      { 'X-RestLi-Protocol-Version': '2.0.0' },
    );
    expect(at(answer.json, 'value')).toMatchObject({
      numEntities: 1,
      entities: [
        { entity: ORDERS, matchedFields: expect.arrayContaining([{ name: 'name', value: 'Orders, daily' }]) },
      ],
      metadata: {
        aggregations: expect.arrayContaining([
          expect.objectContaining({ name: 'tags', aggregations: { [tag('gold')]: 1, [tag('pii')]: 1 } }),
        ]),
      },
    });
  });

  it('searches order by fields, missing values last, ties by urn', async () => {
    const listed = async (body: JsonOutputObject) => (await value('list', { ...page, ...body })).entities;
    expect(await listed({ sort: { field: 'lastModifiedAt', order: 'ASCENDING' } })).toEqual([
      RETURNS,
      ORDERS,
      EVENTS,
    ]);
    expect(await listed({ sort: { field: 'lastModifiedAt', order: 'DESCENDING' } })).toEqual([
      ORDERS,
      RETURNS,
      EVENTS,
    ]);
    expect(
      await listed({ sortCriteria: [{ field: 'origin' }, { field: 'name', order: 'DESCENDING' }] }),
    ).toEqual([RETURNS, ORDERS, EVENTS]);
    expect(await listed({ sort: { field: 'urn' }, searchFlags: { includeSoftDeleted: true } })).toEqual(
      [ORDERS, RETURNS, EVENTS, SOFT_DELETED].sort(),
    );
    const found = await value('search', { ...page, input: '*', start: 1, count: 1, sort: { field: 'name' } });
    expect(found).toMatchObject({ entities: [ORDERS], numEntities: 3 });
  });

  const SCROLL = { input: '*', entities: ['dataset', 'chart'], count: 2, keepAlive: '1m' };

  it('scrolls return entities of several types, each once, and facets with the first page', async () => {
    const first = await value('scrollAcrossEntities', SCROLL);
    expect(first).toMatchObject({ numEntities: 4, pageSize: 2, scrollId: expect.any(String) });
    expect(at(first, 'metadata', 'aggregations')).not.toEqual([]);
    const second = await value('scrollAcrossEntities', { ...SCROLL, scrollId: first.scrollId });
    const third = await value('scrollAcrossEntities', { ...SCROLL, scrollId: second.scrollId });
    expect([...(first.entities as string[]), ...(second.entities as string[])]).toEqual(
      [CHART, ORDERS, RETURNS, EVENTS].sort(),
    );
    expect(third).toMatchObject({ entities: [], numEntities: 4 });
    expect(third).not.toHaveProperty('scrollId');
    expect(at(second, 'metadata', 'aggregations')).toEqual([]);
  });

  it('scrolls pass through all types, in an order, with a filter', async () => {
    const asked = {
      input: 'orders',
      count: 1,
      sort: { field: '_entityName', order: 'DESCENDING' },
      filter: { or: [{ and: [{ field: 'removed', value: 'false' }] }] },
    };
    const walk = async (sort: JsonOutputObject): Promise<readonly JsonValue[]> => {
      const walked: JsonValue[] = [];
      let scrollId: JsonValue | undefined;
      do {
        const more = scrollId === undefined ? {} : { scrollId };
        const found: JsonObject = await value('scrollAcrossEntities', { ...asked, sort, ...more });
        walked.push(...(found.entities as JsonValue[]));
        scrollId = found.scrollId;
      } while (scrollId !== undefined);
      return walked;
    };
    expect(await walk({ field: 'lastModifiedAt' })).toEqual([CHART, ORDERS]);
    expect(await walk(asked.sort)).toEqual([ORDERS, CHART]);
    expect(await walk({ field: '_entityName' })).toEqual([CHART, ORDERS]);
  });

  it('read _entityName as the name of an entity of any type, in queries, filters and orders', async () => {
    const entities = ['chart', 'corpuser', 'dataset'];
    const search = async (more: JsonOutputObject): Promise<JsonValue> =>
      (await value('searchAcrossEntities', { ...{ entities, start: 0, count: 10, input: '*' }, ...more }))
        .entities as JsonValue;
    expect(await search({ sort: { field: '_entityName' } })).toEqual([EVENTS, CHART, ORDERS, RETURNS]);
    for (const types of [entities, [...entities].reverse()]) {
      const found = await search({ entities: types, input: '_entityName:orders', sort: { field: 'urn' } });
      expect([types, found]).toEqual([types, [CHART, ORDERS]]);
    }
    expect(await search({ input: '_entityName:events' })).toEqual([EVENTS]);
    const and = [{ field: '_entityName', value: 'Orders' }];
    expect(await search({ filter: { or: [{ and }] } })).toEqual([CHART]);
  });

  it('scrolls continue only for their query, and within their time', async () => {
    const { scrollId } = await value('scrollAcrossEntities', SCROLL);
    const short = await value('scrollAcrossEntities', { ...SCROLL, keepAlive: '1ms' });
    const PLATFORM = { filter: { or: [{ and: [{ field: 'platform', value: 'hive' }] }] } };
    await catalog.http.caughtUp();
    const rejections: readonly [JsonOutputObject, string][] = [
      [{ ...SCROLL, input: 'orders', scrollId }, "another question: its first page had another 'input'"],
      [{ ...SCROLL, entities: ['dataset'], scrollId }, "its first page had another 'entities'"],
      [{ ...SCROLL, sort: { field: 'name' }, scrollId }, "its first page had another 'sort'"],
      [{ ...SCROLL, ...PLATFORM, scrollId }, "its first page had another 'filter'"],
      [
        { ...SCROLL, searchFlags: { includeSoftDeleted: true }, scrollId },
        "its first page had another 'searchFlags/includeSoftDeleted'",
      ],
      [{ ...SCROLL, scrollId: short.scrollId }, 'too old'],
      [{ ...SCROLL, scrollId: 'x' }, 'none that this catalog gave'],
      [{ ...SCROLL, scrollId: 'W'.repeat(50_000) }, 'none that this catalog gave'],
    ];
    for (const [body, message] of rejections) {
      const answer = await call('scrollAcrossEntities', body);
      expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(message)]);
    }
    expect(await value('scrollAcrossEntities', { ...SCROLL, count: 9, scrollId })).toMatchObject({
      pageSize: 9,
    });
  });

  const and = (criterion: JsonValue): JsonOutputObject => ({
    ...page,
    filter: { or: [{ and: [criterion] }] },
  });
  const path = '/filter/or/0/and/0';
  it.each<[string, JsonOutputObject, string]>([
    ['filter', page, "Parameter 'filter' is required"],
    ['filter', { ...page, filter: [] }, '/filter :: a list is not an object'],
    ['filter', { ...page, filter: { or: {} } }, '/filter/or :: is not a list'],
    ['filter', { ...page, filter: { or: [7] } }, '/filter/or/0 :: is not an object'],
    ['filter', { ...page, filter: { and: [] } }, '/filter/and :: is not supported; use or'],
    ['filter', { ...page, filter: { criteria: [7] } }, '/filter/criteria/0 :: is not an object'],
    ['filter', and({ value: 'x' }), `${path}/field :: is required`],
    [
      'filter',
      and({ field: 'colour', value: 'x' }),
      `${path}/field :: colour is no searchable field of the entity type dataset`,
    ],
    ['filter', and({ field: 'name' }), `${path}/value :: is required`],
    ['filter', and({ field: 'name', value: {} }), `${path}/value :: is not a string`],
    ['filter', and({ field: 'name', values: 'x' }), `${path}/values :: is not a list`],
    ['filter', and({ field: 'name', values: [null] }), `${path}/values/0 :: is not a string`],
    ['filter', and({ field: 'name', value: 'x', negated: 'no' }), `${path}/negated :: is not true or false`],
    [
      'filter',
      and({ field: 'name', value: 'x', condition: 'LIKE' }),
      `${path}/condition :: LIKE is not supported`,
    ],
    ['filter', and({ field: 'lastModifiedAt', value: 'now' }), `${path}/value :: "now" is not a number`],
    [
      'filter',
      and({ field: 'lastModifiedAt', value: '1', condition: 'CONTAIN' }),
      `${path}/condition :: CONTAIN compares texts`,
    ],
    [
      'filter',
      and({ field: 'name', value: 'x'.repeat(251), condition: 'CONTAIN' }),
      `${path}/value :: is longer than the 250`,
    ],
    [
      'filter',
      and({ field: 'name', values: Array<string>(2_001).fill('x') }),
      '/filter :: has more than 2000 values',
    ],
    [
      'filter',
      and({ field: 'name', values: Array<string>(101).fill('x'), condition: 'END_WITH' }),
      '/filter :: looks for more than 100',
    ],
    [
      'filter',
      {
        ...page,
        filter: { or: [{ and: Array<JsonOutputObject>(201).fill({ field: 'name', value: 'x' }) }] },
      },
      '/filter :: has more than 200 criteria',
    ],
    ...['filter', 'list'].map((action): [string, JsonOutputObject, string] => [
      action,
      {
        ...page,
        filter: {
          or: Array<JsonOutputObject>(34).fill({
            and: [{ field: 'name', value: 'x', condition: 'CONTAIN' }],
          }),
        },
      },
      'The search would cost 408 units, and one may cost 400',
    ]),
    ['list', { ...page, sort: 'name' }, '/sort :: "name" is not an object'],
    ['list', { ...page, sort: {} }, '/sort/field :: is required'],
    ['list', { ...page, sort: { field: 'colour' } }, '/sort/field :: colour is no searchable field'],
    [
      'list',
      { ...page, sort: { field: 'name', order: 'UP' } },
      '/sort/order :: is not one of ASCENDING, DESCENDING',
    ],
    ['list', { ...page, sortCriteria: [7] }, '/sortCriteria/0 :: is not an object'],
    [
      'list',
      { ...page, sortCriteria: Array<JsonOutputObject>(9).fill({ field: 'name' }) },
      '/sortCriteria :: has more than 8',
    ],
    [
      'list',
      { ...page, searchFlags: { includeSoftDeleted: 7 } },
      '/searchFlags/includeSoftDeleted :: is not true or false',
    ],
    ['scrollAcrossEntities', { input: '*' }, "Parameter 'count' is required"],
    ['scrollAcrossEntities', { count: 1 }, "Parameter 'input' is required"],
    ['scrollAcrossEntities', { ...SCROLL, count: 0 }, '/count :: 0 is not an integer from 1 to 10000'],
    ['scrollAcrossEntities', { ...SCROLL, entities: ['nothing'] }, 'Failed to find entity with name nothing'],
    [
      'scrollAcrossEntities',
      { ...SCROLL, keepAlive: '5' },
      '/keepAlive :: "5" is not a time of up to 1d, like 5m',
    ],
    ['scrollAcrossEntities', { ...SCROLL, keepAlive: '25h' }, '/keepAlive :: "25h" is not a time'],
    ['scrollAcrossEntities', { ...SCROLL, keepAlive: '0s' }, '/keepAlive :: "0s" is not a time'],
  ])('reject %s with %j', async (action, body, message) => {
    const answer = await call(action, body);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(message)]);
  });
});
