import { describe, expect, it, test } from '@jest/globals';
import { parseJson, stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START = Date.UTC(2024, 3, 1);

describe('the usage of datasets', () => {
  const catalog = catalogForSuite();
  let count = 0;
  const newUrn = () => `urn:li:dataset:(urn:li:dataPlatform:hive,used${String(++count)},PROD)`;
  const user = (name: string) => `urn:li:corpuser:${name}`;
  const call = (action: string, parameters: JsonOutputObject) =>
    catalog.http.post(`/usageStats?action=${action}`, stringifyJson(parameters));
  const buildBucket = (resource: string, timeMs: number, metrics: JsonOutputObject, duration = 'DAY') => ({
    bucket: timeMs,
    duration,
    resource,
    metrics,
  });
  const send = (...buckets: readonly JsonOutputObject[]) => call('batchIngest', { buckets });
  const ask = async (action: string, parameters: JsonOutputObject): Promise<JsonValue> => {
    const { status, json } = await call(action, parameters);
    expect(status).toBe(200);
    return at(json, 'value') as JsonValue;
  };
  const readStored = async (urn: string): Promise<readonly JsonValue[]> => {
    const request = { urn, entity: 'dataset', aspect: 'datasetUsageStatistics' };
    const { json } = await catalog.http.post(
      '/aspects?action=getTimeseriesAspectValues',
      stringifyJson(request),
    );
    return (at(json, 'value', 'values') as readonly JsonValue[]).map((each) =>
      parseJson(at(each, 'aspect', 'value') as string),
    );
  };

  it('is written in the form of older clients, with an empty answer', async () => {
    const urn = newUrn();
    const metrics = {
      uniqueUserCount: 2,
      users: [
        { user: user('ann'), count: 3, userEmail: 'ann@x' },
        { user: user('bob'), count: 1 },
      ],
      totalSqlQueries: 4,
      topSqlQueries: ['select 1'],
      fields: [{ fieldName: 'id', count: 4 }],
    };
    const { status, body, headers } = await send(buildBucket(urn, START, metrics));
    expect([status, body, headers['x-stratalog-position'] === undefined]).toEqual([200, '', false]);
    expect(await readStored(urn)).toEqual([
      {
        timestampMillis: START,
        eventGranularity: { unit: 'DAY', multiple: 1 },
        uniqueUserCount: 2,
        userCounts: metrics.users,
        totalSqlQueries: 4,
        topSqlQueries: ['select 1'],
        fieldCounts: [{ fieldPath: 'id', count: 4 }],
      },
    ]);
    await send(buildBucket(urn, START, { totalSqlQueries: 5 }));
    expect(await readStored(urn)).toHaveLength(1);
  });

  it('is answered by periods and together, the most active first', async () => {
    const urn = newUrn();
    const users = (ann: number, bob: number) => [
      { user: user('ann'), count: ann },
      { user: user('bob'), count: bob, userEmail: 'bob@x' },
    ];
    await send(
      buildBucket(urn, START, { totalSqlQueries: 4, uniqueUserCount: 2, users: users(3, 1) }),
      buildBucket(urn, START + DAY_MS, { totalSqlQueries: 9, users: users(1, 8), topSqlQueries: ['a', 'b'] }),
      buildBucket(urn, START + 2 * DAY_MS, {
        fields: [
          { fieldName: 'x', count: 1 },
          { fieldName: 'y', count: 2 },
        ],
      }),
      buildBucket(urn, START + 3 * DAY_MS, { totalSqlQueries: 100 }),
    );
    const range = { startTime: START, endTime: START + 2 * DAY_MS };
    expect(await ask('query', { resource: urn, duration: 'DAY', ...range })).toEqual({
      buckets: [
        {
          bucket: START,
          duration: 'DAY',
          resource: urn,
          metrics: { totalSqlQueries: 4, uniqueUserCount: 2 },
        },
        {
          bucket: START + DAY_MS,
          duration: 'DAY',
          resource: urn,
          metrics: { totalSqlQueries: 9, topSqlQueries: ['a', 'b'] },
        },
        { bucket: START + 2 * DAY_MS, duration: 'DAY', resource: urn, metrics: {} },
      ],
      aggregations: {
        uniqueUserCount: 2,
        totalSqlQueries: 13,
        users: [
          { user: user('bob'), count: 9, userEmail: 'bob@x' },
          { user: user('ann'), count: 4 },
        ],
        fields: [
          { fieldName: 'y', count: 2 },
          { fieldName: 'x', count: 1 },
        ],
      },
    });
    const months = await ask('query', { resource: urn, duration: 'MONTH' });
    expect(at(months, 'buckets')).toEqual([expect.objectContaining({ bucket: START, duration: 'MONTH' })]);
    expect(await ask('query', { resource: newUrn(), duration: 'WEEK' })).toEqual({
      buckets: [],
      aggregations: { uniqueUserCount: 0, users: [], fields: [] },
    });
  });

  it.each(['query', 'queryRange'])('has the empty periods between those with usage in %s', async (action) => {
    const urn = newUrn();
    const lastDay = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const [before, between] = [lastDay - 2 * DAY_MS, lastDay - DAY_MS];
    await send(
      buildBucket(urn, before, { totalSqlQueries: 4 }),
      buildBucket(urn, lastDay, { totalSqlQueries: 2 }),
    );
    const answer = await ask(action, { resource: urn, duration: 'DAY', rangeFromEnd: 'WEEK' });
    expect(at(answer, 'buckets')).toEqual([
      buildBucket(urn, before, { totalSqlQueries: 4 }),
      buildBucket(urn, between, {}),
      buildBucket(urn, lastDay, { totalSqlQueries: 2 }),
    ]);
    expect(at(answer, 'aggregations', 'totalSqlQueries')).toBe(6);
  });

  it('is answered for a range that ends now', async () => {
    const urn = newUrn();
    const nowMs = Date.now();
    const ages = [
      HOUR_MS,
      26 * HOUR_MS,
      5 * DAY_MS,
      20 * DAY_MS,
      80 * DAY_MS,
      170 * DAY_MS,
      300 * DAY_MS,
      900 * DAY_MS,
    ];
    await send(
      ...ages.map((ageMs) =>
        buildBucket(urn, nowMs - ageMs, { users: [{ user: user('u'), count: 1 }] }, 'HOUR'),
      ),
    );
    const found = new Map<string, unknown>();
    for (const rangeFromEnd of ['HOUR', 'DAY', 'WEEK', 'MONTH', 'QUARTER', 'HALF_YEAR', 'YEAR', 'ALL']) {
      const answer = await ask('queryRange', { resource: urn, duration: 'YEAR', rangeFromEnd });
      found.set(rangeFromEnd, at(answer, 'aggregations', 'users', '0', 'count'));
    }
    expect([...found.values()]).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('counts operations by type', async () => {
    const urn = newUrn();
    const operate = async (timeMs: number, operationType: string, more: JsonOutputObject = {}) => {
      const value = { timestampMillis: timeMs, lastUpdatedTimestamp: timeMs, operationType, ...more };
      expect((await catalog.http.ingest({ urn, aspectName: 'operation', value })).status).toBe(200);
    };
    await operate(START, 'INSERT');
    await operate(START, 'INSERT', { messageId: 'again' });
    await operate(START + 1, 'DROP');
    await operate(START + DAY_MS, 'CUSTOM', { customOperationType: 'vacuum' });
    await operate(START + DAY_MS + 1, 'UNKNOWN');
    const answer = await ask('queryOperations', { resource: urn, duration: 'DAY', startTime: START });
    expect(answer).toEqual({
      buckets: [
        {
          bucket: START,
          duration: 'DAY',
          resource: urn,
          aggregations: { totalOperations: 3, totalInserts: 2, totalDrops: 1 },
        },
        {
          bucket: START + DAY_MS,
          duration: 'DAY',
          resource: urn,
          aggregations: { totalOperations: 2, totalCustoms: 1, customOperationsMap: { vacuum: 1 } },
        },
      ],
      aggregations: {
        totalOperations: 5,
        totalInserts: 2,
        totalDrops: 1,
        totalCustoms: 1,
        customOperationsMap: { vacuum: 1 },
      },
    });
  });

  const RESOURCE = { resource: 'urn:li:dataset:(urn:li:dataPlatform:hive,x,PROD)' };
  const BUCKET = buildBucket(RESOURCE.resource, START, {});
  test.each<readonly [string, JsonOutputObject, number, string]>([
    ['query', { duration: 'DAY' }, 400, "'resource' is required"],
    ['query', RESOURCE, 400, "'duration' is required"],
    ['query', { ...RESOURCE, duration: 'MINUTE' }, 400, '/duration :: "MINUTE" is not one of HOUR'],
    ['query', { resource: 'urn:li:chart:(looker,x)', duration: 'DAY' }, 400, 'datasetUsageStatistics'],
    ['query', { resource: 'x', duration: 'DAY' }, 400, 'Invalid urn x'],
    [
      'query',
      { ...RESOURCE, duration: 'DAY', timeZone: 'Mars' },
      400,
      '/timeZone :: Mars is no known time zone; an example is Europe/Berlin',
    ],
    ...(['query', 'queryOperations'] as const).map(
      (action) =>
        [
          action,
          { ...RESOURCE, duration: 'DAY', timeZone: 'SystemV/AST4' },
          400,
          '/timeZone :: SystemV/AST4 is no time zone of the store; an example is Europe/Berlin',
        ] as const,
    ),
    [
      'queryRange',
      { ...RESOURCE, duration: 'DAY', rangeFromEnd: 'DECADE' },
      400,
      '/rangeFromEnd :: "DECADE" is not one of',
    ],
    [
      'queryOperations',
      { ...RESOURCE, duration: 'DAY', rangeFromEnd: 'DAY', endTime: 1 },
      400,
      '/rangeFromEnd :: stands in place of',
    ],
    ['batchIngest', {}, 400, "'buckets' is required"],
    ['batchIngest', { buckets: [1] }, 400, '/buckets/0 :: 1 is not an object'],
    [
      'batchIngest',
      { buckets: [{ ...BUCKET, bucket: null }] },
      400,
      '/buckets/0/bucket :: null is not an integer',
    ],
    [
      'batchIngest',
      { buckets: [BUCKET, { ...BUCKET, duration: 'DECADE' }] },
      400,
      '/buckets/1/duration :: is not one of HOUR',
    ],
    [
      'batchIngest',
      { buckets: [{ ...BUCKET, resource: 7 }] },
      400,
      '/buckets/0/resource :: 7 is not a string',
    ],
    [
      'batchIngest',
      { buckets: [{ ...BUCKET, metrics: [] }] },
      400,
      '/buckets/0/metrics :: a list is not an object',
    ],
    [
      'batchIngest',
      { buckets: [{ ...BUCKET, metrics: { users: [{ count: 1 }] } }] },
      400,
      '/buckets/0/metrics/users/0/user :: is required',
    ],
    [
      'batchIngest',
      { buckets: [{ ...BUCKET, metrics: { fields: {} } }] },
      400,
      '/buckets/0/metrics/fields :: an object is not a list',
    ],
    [
      'batchIngest',
      { buckets: [BUCKET, { ...BUCKET, resource: 'urn:li:chart:(looker,x)' }] },
      422,
      '/1 :: URN entity type does not match',
    ],
  ])('%s rejects %j', async (action, parameters, status, reason) => {
    const answer = await call(action, parameters);
    expect([answer.status, at(answer.json, 'message')]).toEqual([status, expect.stringContaining(reason)]);
  });
});
