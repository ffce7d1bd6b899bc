import { describe, expect, it } from '@jest/globals';
import { parseJson, stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const DAY_MS = 86_400_000;
const MORNING = 1_700_006_400_000;

describe('timeseries values', () => {
  const catalog = catalogForSuite();
  let count = 0;
  const newUrn = () => `urn:li:dataset:(urn:li:dataPlatform:hive,measured${String(++count)},PROD)`;
  const put = (urn: string, value: JsonOutputObject | string, members: JsonOutputObject = {}) =>
    catalog.http.ingest({ urn, aspectName: 'datasetProfile', value, members });
  const ask = (parameters: JsonOutputObject): Promise<Answer> =>
    catalog.http.post(
      '/aspects?action=getTimeseriesAspectValues',
      stringifyJson({ entity: 'dataset', aspect: 'datasetProfile', ...parameters }),
    );
  const valuesIn = ({ json }: Answer): readonly JsonValue[] =>
    (at(json, 'value', 'values') as readonly JsonValue[]).map((each) =>
      parseJson(at(each, 'aspect', 'value') as string),
    );
  const toRows = async (parameters: JsonOutputObject): Promise<readonly unknown[]> =>
    valuesIn(await ask(parameters)).map((value) => at(value, 'rowCount'));
  const namesOf = async (urn: string): Promise<readonly string[]> =>
    Object.keys(at((await catalog.http.entity(urn)).json, 'aspects') ?? {}).sort();

  it('are returned unchanged, newest first, in the envelope that clients know', async () => {
    const urn = newUrn();
    const first = '{"timestampMillis":1700006400000,"rowCount":9223372036854775807,"columnCount":2}';
    const systemMetadata = { lastObserved: 5, runId: 'profile-7' };
    expect((await put(urn, first, { systemMetadata })).json).toEqual({ value: urn });
    await put(urn, { timestampMillis: MORNING + DAY_MS, rowCount: 2 });
    await put(urn, { timestampMillis: MORNING - 800 * DAY_MS, rowCount: 1 });
    const { status, json } = await ask({ urn, startTimeMillis: MORNING, endTimeMillis: MORNING });
    expect([status, json]).toEqual([
      200,
      {
        value: {
          entityName: 'dataset',
          aspectName: 'datasetProfile',
          startTimeMillis: MORNING,
          endTimeMillis: MORNING,
          limit: 10_000,
          values: [
            {
              aspect: {
                value: '{"columnCount":2,"rowCount":9223372036854775807,"timestampMillis":1700006400000}',
                contentType: 'application/json',
              },
              systemMetadata,
            },
          ],
        },
      },
    ]);
    expect(await toRows({ urn })).toEqual([2, 9_223_372_036_854_775_807n, 1]);
    expect(await toRows({ urn, limit: 2, sort: { field: 'timestampMillis', order: 'ASCENDING' } })).toEqual([
      1,
      9_223_372_036_854_775_807n,
    ]);
    expect(await toRows({ urn, sort: { field: 'rowCount' } })).toEqual([9_223_372_036_854_775_807n, 2, 1]);
    expect(await toRows({ urn, limit: 2, sort: { field: 'rowCount', order: 'ASCENDING' } })).toEqual([1, 2]);
    expect(await toRows({ urn, limit: 1, sort: { field: 'columnCount' } })).toEqual([
      9_223_372_036_854_775_807n,
    ]);
    const latest = await ask({ urn, latestValue: true });
    expect([at(latest.json, 'value', 'limit'), valuesIn(latest).length]).toEqual([1, 1]);
    expect(Object.keys(at(latest.json, 'value') as object)).not.toContain('startTimeMillis');
    expect(await toRows({ urn, startTimeMillis: String(MORNING) })).toEqual([2, 9_223_372_036_854_775_807n]);
  });

  it('create the default aspects of a new entity, and are not among them', async () => {
    const urn = newUrn();
    const written = await put(urn, { timestampMillis: MORNING, rowCount: 1 });
    expect(await namesOf(urn)).toEqual([
      'browsePaths',
      'browsePathsV2',
      'dataPlatformInstance',
      'datasetKey',
    ]);
    expect((await catalog.http.aspect(urn, 'datasetProfile')).status).toBe(404);
    const name = urn.split(',')[1] ?? '';
    const waitFor = written.headers['x-stratalog-position'];
    expect((await catalog.http.find(name, { waitFor })).urns).toEqual([urn]);
    const again = await put(urn, { timestampMillis: MORNING, rowCount: 1 });
    expect(again.headers['x-stratalog-position']).toBe(waitFor);
  });

  it('replace one another when their keys are equal', async () => {
    const urn = newUrn();
    const whole = { type: 'FULL_TABLE', partition: 'FULL_TABLE_SNAPSHOT' };
    await put(urn, { timestampMillis: MORNING, rowCount: 1 });
    await put(urn, { timestampMillis: MORNING, rowCount: 2, partitionSpec: whole });
    expect(await toRows({ urn })).toEqual([2]);
    await put(urn, { timestampMillis: MORNING, rowCount: 3, partitionSpec: { partition: 'eu' } });
    await put(urn, { timestampMillis: MORNING, rowCount: 4, messageId: 'm1' });
    await put(urn, { timestampMillis: MORNING, rowCount: 5, eventGranularity: { unit: 'DAY' } });
    await put(urn, { timestampMillis: MORNING, rowCount: 6, eventGranularity: { unit: 'DAY', multiple: 1 } });
    expect((await toRows({ urn })).toSorted()).toEqual([2, 3, 4, 6]);
    const filter = (field: string, value: string) => ({ or: [{ and: [{ field, value }] }] });
    expect(await toRows({ urn, filter: filter('partitionSpec.partition', 'eu') })).toEqual([3]);
    expect(await toRows({ urn, filter: filter('messageId', 'm1'), limit: 1 })).toEqual([4]);
  });

  it('can be filtered, also past a limit', async () => {
    const urn = newUrn();
    for (const n of [1, 2, 3, 4, 5, 6]) {
      await put(
        urn,
        { timestampMillis: MORNING + n, rowCount: n },
        { systemMetadata: { runId: `r${n % 2}` } },
      );
    }
    const where = (...and: JsonOutputObject[]) => ({ urn, filter: { or: [{ and }] } });
    expect(await toRows(where({ field: 'rowCount', condition: 'GREATER_THAN', value: '4' }))).toEqual([6, 5]);
    expect(await toRows({ ...where({ field: 'runId', values: ['r1'] }), limit: 2 })).toEqual([5, 3]);
    expect(await toRows({ urn, filter: { or: [{ and: [] }] }, limit: 1 })).toEqual([6]);
    expect(await toRows({ urn, filter: { criteria: [{ field: 'rowCount', value: '2' }] } })).toEqual([2]);
  });

  it('disappear with their entity, and do not return with it', async () => {
    const urn = newUrn();
    await put(urn, { timestampMillis: MORNING, rowCount: 1 });
    const deletion = { changeType: 'DELETE', aspect: undefined };
    await catalog.http.ingest({ urn, aspectName: 'datasetKey', value: '', members: deletion });
    expect(await toRows({ urn })).toEqual([]);
    await put(urn, { timestampMillis: MORNING + 1, rowCount: 2 });
    expect(await toRows({ urn })).toEqual([2]);
    expect(await namesOf(urn)).toContain('browsePathsV2');

    await catalog.http.ingest({ urn, aspectName: 'datasetProfile', value: '', members: deletion });
    expect(await toRows({ urn })).toEqual([]);
    expect((await catalog.http.aspect(urn, 'datasetKey')).status).toBe(200);
  });

  it('are rejected with the reason when they are invalid', async () => {
    const urn = newUrn();
    const toRejection = async (value: JsonOutputObject, members: JsonOutputObject = {}) => {
      const { status, json } = await put(urn, value, members);
      expect(status).toBe(422);
      return at(json, 'message');
    };
    const timeseriesValue = { timestampMillis: MORNING };
    for (const changeType of ['CREATE', 'CREATE_ENTITY', 'UPDATE', 'RESTATE']) {
      expect(await toRejection(timeseriesValue, { changeType })).toBe(
        `changeType ${changeType} is not supported for the timeseries aspect datasetProfile; UPSERT writes a value and DELETE removes values`,
      );
    }
    expect(await toRejection(timeseriesValue, { headers: { 'If-Version-Match': '1' } })).toBe(
      'If-Version-Match means nothing for the timeseries aspect datasetProfile, whose values have no versions',
    );
    for (const timestampMillis of [-1, 253_402_300_800_000, 1_700_006_400_000_000_000n]) {
      expect(await toRejection({ timestampMillis })).toContain(
        `ERROR :: /timestampMillis :: ${String(timestampMillis)} is not a time in epoch milliseconds from 0 to 253402300799999`,
      );
    }
    expect(await toRejection({ timestampMillis: 'now' })).toContain('ERROR :: /timestampMillis');
    expect(await toRejection({ ...timeseriesValue, eventGranularity: { unit: 'AGE' } })).toContain(
      '/eventGranularity/unit',
    );
    expect((await catalog.http.aspect(urn, 'datasetKey')).status).toBe(404);
  });

  it('are a 400 with the reason for a wrong query', async () => {
    const urn = newUrn();
    const tag = 'urn:li:tag:a';
    const criterion = (members: JsonOutputObject) => ({ filter: { or: [{ and: [members] }] } });
    const cases: readonly (readonly [JsonOutputObject, string])[] = [
      [{ urn: undefined }, "Parameter 'urn' is required"],
      [{ entity: undefined }, "Parameter 'entity' is required"],
      [{ aspect: undefined }, "Parameter 'aspect' is required"],
      [{ entity: 'none' }, 'Failed to find entity with name none in EntityRegistry'],
      [{ urn: 'nonsense' }, 'Invalid urn nonsense'],
      [{ urn: tag }, `The urn ${tag} is of the entity type tag, not of dataset`],
      [{ aspect: 'none' }, 'Unknown aspect none for entity dataset'],
      [{ aspect: 'status' }, 'Aspect status of entity dataset is not a timeseries aspect'],
      [{ limit: 10_001 }, '/limit :: 10001 is not an integer from 1 to 10000'],
      [{ limit: 0 }, '/limit :: 0 is not an integer from 1 to 10000'],
      [{ startTimeMillis: 'today' }, '/startTimeMillis :: "today" is not an integer'],
      [{ sort: { field: 'rowCounts' } }, '/sort/field :: rowCounts is no field of the timeseries aspect'],
      [{ sort: { field: 'fieldProfiles' } }, 'holds no plain values to compare'],
      [{ sort: { field: 'rowCount', order: 'UP' } }, '/sort/order :: '],
      [{ filter: { or: 'x' } }, '/filter/or :: is not a list'],
      [criterion({ value: 'x' }), '/filter/or/0/and/0/field :: is required'],
      [
        criterion({ field: 'none', value: 'x' }),
        '/filter/or/0/and/0/field :: none is no field of the timeseries aspect datasetProfile',
      ],
      [
        criterion({ field: 'fieldProfiles', value: 'x' }),
        'field :: fieldProfiles of the aspect datasetProfile holds no plain values to compare',
      ],
      [criterion({ field: 'rowCount', value: 'many' }), '/filter/or/0/and/0/value :: "many" is not a number'],
      [criterion({ field: 'rowCount' }), '/filter/or/0/and/0/value :: is required'],
      [
        criterion({ field: 'rowCount', condition: 'NEAR', value: '1' }),
        '/filter/or/0/and/0/condition :: NEAR is not supported',
      ],
    ];
    for (const [parameters, message] of cases) {
      const { status, json } = await ask({ urn, ...parameters });
      expect({ status, message: at(json, 'message') }).toEqual({
        status: 400,
        message: expect.stringContaining(message),
      });
    }
    expect(valuesIn(await ask({ urn }))).toEqual([]);
  });
});
