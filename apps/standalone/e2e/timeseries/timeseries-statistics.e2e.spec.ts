import { describe, expect, it, test } from '@jest/globals';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const DAY_MS = 86_400_000;
const MONDAY = Date.UTC(2024, 3, 1);
const DAYS = {
  type: 'DATE_GROUPING_BUCKET',
  key: 'timestampMillis',
  timeWindowSize: { unit: 'DAY', multiple: 1 },
};
const USERS = { type: 'STRING_GROUPING_BUCKET', key: 'userCounts.user' };
const SUM = { fieldPath: 'totalSqlQueries', aggregationType: 'SUM' };
const OF_USERS = { fieldPath: 'userCounts.count', aggregationType: 'SUM' };

describe('statistics of timeseries values', () => {
  const catalog = catalogForSuite();
  let count = 0;
  const newUrn = () => `urn:li:dataset:(urn:li:dataPlatform:hive,counted${String(++count)},PROD)`;
  const user = (name: string) => `urn:li:corpuser:${name}`;
  const use = async (urn: string, day: number, value: JsonOutputObject): Promise<void> => {
    const members = { timestampMillis: MONDAY + day * DAY_MS, ...value };
    expect(
      (await catalog.http.ingest({ urn, aspectName: 'datasetUsageStatistics', value: members })).status,
    ).toBe(200);
  };
  const of = (...urns: readonly string[]) => ({ or: [{ and: [{ field: 'urn', values: urns }] }] });
  const ask = (request: JsonOutputObject) =>
    catalog.http.post(
      '/analytics?action=getTimeseriesStats',
      stringifyJson({ entityName: 'dataset', aspectName: 'datasetUsageStatistics', ...request }),
    );
  const readRows = async (request: JsonOutputObject): Promise<unknown> =>
    at((await ask(request)).json, 'value', 'table', 'rows');

  it('group by days and aggregate, in the shape of the original', async () => {
    const [one, two] = [newUrn(), newUrn()];
    await use(one, 0, { totalSqlQueries: 3, topSqlQueries: ['select 1', 'select 2'] });
    await use(one, 2, { totalSqlQueries: 4, uniqueUserCount: 2 });
    await use(two, 2, { totalSqlQueries: 5, messageId: 'm' });
    await use(two, 2, { totalSqlQueries: 6, uniqueUserCount: 7, messageId: 'n' });
    const metrics = [
      SUM,
      { fieldPath: 'topSqlQueries', aggregationType: 'LATEST' },
      { fieldPath: 'urn', aggregationType: 'CARDINALITY' },
    ];
    const { status, json } = await ask({ metrics, buckets: [DAYS], filter: of(one, two) });
    expect([status, json]).toEqual([
      200,
      {
        value: {
          entityName: 'dataset',
          aspectName: 'datasetUsageStatistics',
          filter: of(one, two),
          aggregationSpecs: metrics,
          groupingBuckets: [DAYS],
          table: {
            columnNames: [
              'timestampMillis',
              'sum_totalSqlQueries',
              'latest_topSqlQueries',
              'cardinality_urn',
            ],
            columnTypes: ['long', 'double', 'array', 'long'],
            rows: [
              [String(MONDAY), '3', '["select 1","select 2"]', '1'],
              [String(MONDAY + 2 * DAY_MS), '15', 'NULL', '2'],
            ],
          },
        },
      },
    ]);
    expect(await readRows({ metrics: [SUM], filter: of(two) })).toEqual([['11']]);
    expect(await readRows({ metrics: [SUM], filter: of(newUrn()) })).toEqual([['0']]);
    const week = { ...DAYS, timeWindowSize: { unit: 'WEEK', multiple: 1 } };
    expect(await readRows({ metrics: [SUM], buckets: [week], filter: of(one) })).toEqual([
      [String(MONDAY), '7'],
    ]);
    const pacific = { ...DAYS, timeZone: 'America/Los_Angeles' };
    expect(await readRows({ metrics: [SUM], buckets: [pacific], filter: of(one) })).toEqual([
      [String(MONDAY - 17 * 3_600_000), '3'],
      [String(MONDAY + 31 * 3_600_000), '4'],
    ]);
  });

  it('count each element of a list', async () => {
    const urn = newUrn();
    await use(urn, 0, {
      userCounts: [
        { user: user('b'), count: 2 },
        { user: user('a'), count: 1 },
      ],
    });
    await use(urn, 1, { userCounts: [{ user: user('b'), count: 3, userEmail: 'b@x' }], totalSqlQueries: 9 });
    await use(urn, 2, { userCounts: [{ user: user('c'), count: 4 }] });
    const table = { metrics: [OF_USERS], filter: of(urn) };
    expect(await readRows({ ...table, buckets: [USERS] })).toEqual([
      [user('a'), '1'],
      [user('b'), '5'],
      [user('c'), '4'],
    ]);
    expect(await readRows({ ...table, buckets: [{ ...USERS, size: 2, orderByMetric: true }] })).toEqual([
      [user('b'), '5'],
      [user('c'), '4'],
    ]);
    expect(await readRows({ ...table, metrics: [OF_USERS, SUM] })).toEqual([['10', '9']]);
    const mail = { fieldPath: 'userCounts.userEmail', aggregationType: 'LATEST' };
    expect(await readRows({ ...table, metrics: [mail], buckets: [USERS, DAYS] })).toEqual([
      [user('a'), String(MONDAY), 'NULL'],
      [user('b'), String(MONDAY), 'NULL'],
      [user('b'), String(MONDAY + DAY_MS), 'b@x'],
      [user('c'), String(MONDAY + 2 * DAY_MS), 'NULL'],
    ]);
  });

  const METRICS = { metrics: [SUM] };
  test.each<readonly [JsonOutputObject, string]>([
    [{}, 'metrics'],
    [{ metrics: [] }, '/metrics :: is empty'],
    [{ metrics: [{ fieldPath: 'totalSqlQueries' }] }, '/metrics/0/aggregationType :: is required'],
    [
      { metrics: [{ ...SUM, aggregationType: 'AVG' }] },
      '/metrics/0/aggregationType :: "AVG" is not one of LATEST',
    ],
    [
      { metrics: [SUM, { ...SUM, fieldPath: 'totalSqlQuery' }] },
      '/metrics/1/fieldPath :: totalSqlQuery is no field for statistics',
    ],
    [
      { metrics: [{ ...SUM, fieldPath: 'userCounts' }] },
      '/metrics/0/fieldPath :: userCounts is no field for statistics',
    ],
    [
      { metrics: [{ ...SUM, fieldPath: 'topSqlQueries' }] },
      '/metrics/0/aggregationType :: SUM needs a number, and topSqlQueries is of type array',
    ],
    [{ ...METRICS, entityName: 'datasets' }, 'datasets'],
    [{ ...METRICS, aspectName: 'datasetUsage' }, 'datasetUsage'],
    [{ ...METRICS, aspectName: 'datasetProperties' }, 'is not a timeseries aspect'],
    [
      { ...METRICS, buckets: [{ ...DAYS, key: 'totalSqlQueries' }] },
      '/buckets/0/key :: is not timestampMillis',
    ],
    [
      { ...METRICS, buckets: [{ ...DAYS, timeWindowSize: { unit: 'DECADE' } }] },
      '/buckets/0/timeWindowSize/unit :: "DECADE" is not one of SECOND',
    ],
    [
      { ...METRICS, buckets: [{ ...DAYS, timeWindowSize: { unit: 'DAY', multiple: 0 } }] },
      '/buckets/0/timeWindowSize/multiple :: 0 is not',
    ],
    [
      { ...METRICS, buckets: [{ type: DAYS.type, key: DAYS.key }] },
      '/buckets/0/timeWindowSize :: is required',
    ],
    [
      { ...METRICS, buckets: [{ ...DAYS, timeZone: 'Europe/Berlim' }] },
      '/buckets/0/timeZone :: Europe/Berlim is no known time zone; an example is Europe/Berlin',
    ],
    [
      // JavaScript knows it, and the server does not.
      { ...METRICS, buckets: [DAYS, { ...DAYS, timeZone: 'SystemV/AST4' }] },
      '/buckets/1/timeZone :: SystemV/AST4 is no time zone of the store; an example is Europe/Berlin',
    ],
    [{ ...METRICS, buckets: [{ ...DAYS, timeZone: '+02:00' }] }, '/buckets/0/timeZone :: +02:00 is no known'],
    [{ ...METRICS, buckets: [{ ...DAYS, size: 3 }] }, '/buckets/0/size :: is for groups by value'],
    [
      { ...METRICS, buckets: [{ ...USERS, key: 'users' }] },
      '/buckets/0/key :: users is no field for statistics',
    ],
    [{ ...METRICS, buckets: [USERS] }, '/metrics/0/fieldPath :: is no field of the elements of userCounts'],
    [
      { metrics: [OF_USERS], buckets: [USERS, { ...USERS, key: 'fieldCounts.fieldPath' }] },
      '/buckets/1/key :: is of another list than userCounts',
    ],
    [
      { metrics: [OF_USERS], buckets: [{ ...USERS, size: 2 }, DAYS] },
      '/buckets/0/size :: is supported for the last bucket only',
    ],
    [
      {
        metrics: [{ fieldPath: 'urn', aggregationType: 'LATEST' }],
        buckets: [{ ...USERS, orderByMetric: true }],
      },
      '/buckets/0/orderByMetric :: needs a number as the first metric',
    ],
    [
      { ...METRICS, filter: { or: [{ and: [{ field: 'queries', value: '1' }] }] } },
      '/filter/or/0/and/0/field :: queries is no field',
    ],
  ])('reject %j', async (request, reason) => {
    const { status, json } = await ask(request);
    expect([status, at(json, 'message')]).toEqual([400, expect.stringContaining(reason)]);
  });
});
