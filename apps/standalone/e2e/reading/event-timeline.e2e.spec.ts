import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const ORDERS = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const columnOf = (path: string): string => `urn:li:schemaField:(${ORDERS},${path})`;
const [ADA, BOB] = ['urn:li:corpuser:ada', 'urn:li:corpuser:bob'];
const tags = (...names: readonly string[]) => ({
  tags: names.map((name) => ({ tag: `urn:li:tag:${name}` })),
});
const field = (fieldPath: string, native: string, more: JsonOutputObject = {}): JsonOutputObject => ({
  fieldPath,
  nativeDataType: native,
  type: { type: { 'com.linkedin.schema.StringType': {} } },
  ...more,
});
const schemaOf = (...fields: readonly JsonOutputObject[]): JsonOutputObject => ({
  schemaName: 'orders',
  platform: 'urn:li:dataPlatform:hive',
  version: 0,
  hash: '',
  platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
  fields,
});
const owned = (...owners: readonly string[]) => ({
  owners: owners.map((owner) => ({ owner, type: 'DATAOWNER' })),
  lastModified: { time: 0, actor: ADA },
});

describe('the timeline of OpenAPI clients', () => {
  const catalog = catalogForSuite();
  const read = async (query = '', urn = ORDERS) => {
    const answer = await catalog.http.get(`/openapi/v2/timeline/v1/${encodeURIComponent(urn)}${query}`);
    if (answer.status !== 200) throw new Error(answer.body);
    return answer.json as readonly JsonObject[];
  };
  const events = (transactions: readonly JsonObject[]) =>
    transactions.flatMap(({ changeEvents }) =>
      (changeEvents as readonly JsonObject[]).map(
        ({ category, operation, modifier, entityUrn, semVerChange }) => [
          category,
          operation,
          modifier ?? null,
          ...(entityUrn === ORDERS ? [] : [entityUrn]),
          semVerChange,
        ],
      ),
    );

  beforeAll(async () => {
    const values: readonly (readonly [string, JsonOutputObject])[] = [
      ['schemaMetadata', schemaOf(field('id', 'int'), field('name', 'text', { globalTags: tags('pii') }))],
      ['globalTags', tags('daily')],
      ['globalTags', tags('hourly', 'pii')],
      ['ownership', owned(ADA)],
      ['ownership', owned(BOB)],
      ['editableDatasetProperties', { description: 'Orders' }],
      ['editableDatasetProperties', { description: 'All orders' }],
      ['schemaMetadata', schemaOf(field('id', 'bigint'), field('paid', 'date', { description: 'When' }))],
      ['datasetProperties', { name: 'orders', customProperties: { a: 'b' } }],
      [
        'editableSchemaMetadata',
        { editableSchemaFieldInfo: [{ fieldPath: 'id', description: 'The key', globalTags: tags('key') }] },
      ],
      ['domains', { domains: ['urn:li:domain:shop'] }],
      ['deprecation', { deprecated: true, note: 'gone', actor: ADA }],
      [
        'structuredProperties',
        { properties: [{ propertyUrn: 'urn:li:structuredProperty:io.shop.days', values: [{ double: 3 }] }] },
      ],
    ];
    await catalog.http.write('urn:li:structuredProperty:io.shop.days', 'propertyDefinition', {
      qualifiedName: 'io.shop.days',
      valueType: 'urn:li:dataType:datahub.number',
      entityTypes: ['urn:li:entityType:datahub.dataset'],
    });
    for (const [aspect, value] of values) await catalog.http.write(ORDERS, aspect, value);
  });

  it('tells what came and went, the oldest first, with grades and versions', async () => {
    const transactions = await read();
    expect(events(transactions)).toEqual([
      ['TECHNICAL_SCHEMA', 'ADD', columnOf('id'), 'MINOR'],
      ['TECHNICAL_SCHEMA', 'ADD', columnOf('name'), 'MINOR'],
      ['TAG', 'ADD', 'urn:li:tag:pii', columnOf('name'), 'MINOR'],
      ['TAG', 'ADD', 'urn:li:tag:daily', 'MINOR'],
      ['TAG', 'REMOVE', 'urn:li:tag:daily', 'MINOR'],
      ['TAG', 'ADD', 'urn:li:tag:hourly', 'MINOR'],
      ['TAG', 'ADD', 'urn:li:tag:pii', 'MINOR'],
      ['OWNERSHIP', 'ADD', ADA, 'MINOR'],
      ['OWNERSHIP', 'REMOVE', ADA, 'MINOR'],
      ['OWNERSHIP', 'ADD', BOB, 'MINOR'],
      ['DOCUMENTATION', 'ADD', null, 'PATCH'],
      ['DOCUMENTATION', 'MODIFY', null, 'PATCH'],
      ['TECHNICAL_SCHEMA', 'REMOVE', columnOf('name'), 'MAJOR'],
      ['TECHNICAL_SCHEMA', 'MODIFY', columnOf('id'), 'MAJOR'],
      ['TECHNICAL_SCHEMA', 'ADD', columnOf('paid'), 'MINOR'],
      ['DOCUMENTATION', 'ADD', null, columnOf('paid'), 'PATCH'],
      ['DOCUMENTATION', 'ADD', null, columnOf('id'), 'PATCH'],
      ['TAG', 'ADD', 'urn:li:tag:key', columnOf('id'), 'MINOR'],
      ['DOMAIN', 'ADD', 'urn:li:domain:shop', 'MINOR'],
      ['STRUCTURED_PROPERTY', 'ADD', 'urn:li:structuredProperty:io.shop.days', 'MINOR'],
    ]);
    expect(transactions.map(({ semVer, semVerChange }) => [semVer, semVerChange])).toEqual([
      ['1.0.0', 'MINOR'],
      ['1.1.0', 'MINOR'],
      ['1.2.0', 'MINOR'],
      ['1.3.0', 'MINOR'],
      ['1.4.0', 'MINOR'],
      ['1.4.1', 'PATCH'],
      ['1.4.2', 'PATCH'],
      ['2.0.0', 'MAJOR'],
      ['2.1.0', 'MINOR'],
      ['2.2.0', 'MINOR'],
      ['2.3.0', 'MINOR'],
    ]);
    expect(at(transactions[3], 'changeEvents')).toEqual([
      {
        category: 'OWNERSHIP',
        operation: 'ADD',
        entityUrn: ORDERS,
        modifier: ADA,
        semVerChange: 'MINOR',
        description: `Owner '${ADA}' added to entity '${ORDERS}'.`,
        parameters: { ownerUrn: ADA, ownerType: 'DATAOWNER' },
      },
    ]);
  });

  it('has only the asked categories, within the asked time', async () => {
    const schema = await read('?categories=TECHNICAL_SCHEMA,DOMAIN&startTime=-1&endTime=0&raw=False');
    expect(schema.map(({ semVer }) => semVer)).toEqual(['1.0.0', '2.0.0', '2.1.0']);
    const [first, second] = schema.map(({ timestamp }) => Number(timestamp));
    const window = `?categories=TECHNICAL_SCHEMA&startTime=${String((first ?? 0) + 1)}&endTime=${String(second)}`;
    expect(events(await read(window))).toEqual(events(schema.slice(1, 2)));
    expect(await read('', 'urn:li:tag:never')).toEqual([]);
  });

  it.each([
    ['categories=TAGS', 'did you mean TAG'],
    ['startTime=x', 'startTime'],
    ['endTime=-2', 'endTime'],
  ])('rejects %s', async (query, message) => {
    const answer = await catalog.http.get(`/openapi/v2/timeline/v1/${encodeURIComponent(ORDERS)}?${query}`);
    expect([answer.status, at(answer.json, 'message')]).toEqual([400, expect.stringContaining(message)]);
  });

  it('bounds the events of one change, and says how many are left out', async () => {
    const urn = `urn:li:dataset:(urn:li:dataPlatform:hive,${'w'.repeat(400)},PROD)`;
    const columns = Array.from({ length: 8_000 }, (_, at) => field(`c${String(at)}`, 'int'));
    await catalog.http.write(urn, 'schemaMetadata', schemaOf(...columns));
    const [transaction] = await read('?categories=TECHNICAL_SCHEMA', urn);
    const told = transaction?.changeEvents as readonly JsonObject[];
    const { omitted } = told.at(-1)?.parameters as { readonly omitted: number };
    expect(told.length - 1 + omitted).toBe(columns.length);
    expect(JSON.stringify(told).length).toBeLessThan(9 * 1024 * 1024);
  });

  it('rejects more values than it reads, and more events than it tells', async () => {
    const urn = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.large,PROD)';
    for (let count = 0; count < 6; count++)
      await catalog.http.write(urn, 'datasetProperties', {
        name: String(count),
        customProperties: { text: 'x'.repeat(7_000_000) },
      });
    const values = await catalog.http.get(`/openapi/v2/timeline/v1/${encodeURIComponent(urn)}`);
    expect([values.status, at(values.json, 'message')]).toEqual([
      400,
      expect.stringContaining('more than 64 MB of values'),
    ]);
    const described = urn.replace('large', 'described');
    for (let count = 0; count < 4; count++)
      await catalog.http.write(described, 'editableDatasetProperties', {
        description: `${String(count)}${'x'.repeat(6_000_000)}`,
      });
    const events = await catalog.http.get(`/openapi/v2/timeline/v1/${encodeURIComponent(described)}`);
    expect([events.status, at(events.json, 'message')]).toEqual([
      400,
      expect.stringContaining('More than 16 MB of events'),
    ]);
  });
});
