import { beforeEach, describe, expect, it } from '@jest/globals';
import { parseJson, stringifyJson, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

describe('a deletion of timeseries values', () => {
  const catalog = catalogForSuite();
  const aspectName = 'datasetProfile';
  let count = 0;
  let urn: string;
  const truncate = (body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post('/entities?action=delete', stringifyJson(body));
  const namesOf = async (): Promise<readonly string[]> =>
    Object.keys(at((await catalog.http.entity(urn)).json, 'aspects') ?? {}).sort();
  const write = async (...moments: readonly number[]): Promise<void> => {
    for (const timestampMillis of moments) {
      await catalog.http.write(urn, aspectName, { timestampMillis, rowCount: timestampMillis });
    }
  };
  const moments = async (): Promise<readonly unknown[]> => {
    const body = { urn, entity: 'dataset', aspect: aspectName };
    const answer = await catalog.http.post('/aspects?action=getTimeseriesAspectValues', stringifyJson(body));
    const values = at(answer.json, 'value', 'values') as readonly JsonValue[];
    return values.map((each) => at(parseJson(at(each, 'aspect', 'value') as string), 'rowCount'));
  };
  const gone = async (body: JsonOutputObject = {}): Promise<unknown> => {
    const answer = await truncate({ urn, aspectName, ...body });
    expect([answer.status, Object.keys(at(answer.json, 'value') as object).sort()]).toEqual([
      200,
      ['timeseriesRows', 'urn'],
    ]);
    return at(answer.json, 'value', 'timeseriesRows');
  };

  beforeEach(() => {
    urn = `urn:li:dataset:(urn:li:dataPlatform:hive,points-${String(++count)},PROD)`;
  });

  it('removes those of a time range, both ends included, and counts them', async () => {
    await write(1, 2, 3, 4, 5);
    expect(await gone({ startTimeMillis: 2, endTimeMillis: '3' })).toBe(2);
    expect(await moments()).toEqual([5, 4, 1]);
    expect(await gone({ startTimeMillis: 2, endTimeMillis: 3 })).toBe(0);
    expect(await gone({ startTimeMillis: 9, endTimeMillis: 1 })).toBe(0);
    expect(await gone({ endTimeMillis: 1 })).toBe(1);
    expect(await gone({ startTimeMillis: 5 })).toBe(1);
    expect(await moments()).toEqual([4]);
  });

  it('removes all of an aspect, and leaves the entity and its other aspects', async () => {
    await write(1, 2, 3);
    await catalog.http.write(urn, 'operation', {
      timestampMillis: 2,
      operationType: 'INSERT',
      lastUpdatedTimestamp: 2,
    });
    const names = await namesOf();
    expect(await gone()).toBe(3);
    expect([await moments(), await namesOf()]).toEqual([[], names]);
    expect((await truncate({ urn, aspectName: 'operation' })).json).toEqual({
      value: { urn, timeseriesRows: 1 },
    });
    expect(await gone()).toBe(0);
  });

  it('does not restore repeated values, and does not remove later ones', async () => {
    await write(1, 2);
    await gone({ endTimeMillis: 1 });
    await write(2);
    expect(await moments()).toEqual([2]);
    await write(1);
    expect(await moments()).toEqual([2, 1]);
    await gone({ endTimeMillis: 1 });
    expect(await moments()).toEqual([2]);
  });

  it('is part of that of the entity, and is counted', async () => {
    await write(1, 2, 3);
    await gone({ endTimeMillis: 1 });
    const { json } = await truncate({ urn });
    expect(at(json, 'value', 'timeseriesRows')).toBe(2);
    expect(await moments()).toEqual([]);
    expect(at((await truncate({ urn })).json, 'value', 'timeseriesRows')).toBe(0);
    await write(7);
    expect(await moments()).toEqual([7]);
  });

  it('can be proposed, with its bounds as headers', async () => {
    const propose = (name: string, headers: JsonOutputObject) =>
      catalog.http.ingest({
        urn,
        aspectName: name,
        value: '',
        members: { changeType: 'DELETE', aspect: undefined, headers },
      });
    await write(1, 2, 3);
    expect((await propose(aspectName, { 'end-time-millis': '2' })).status).toBe(200);
    expect(await moments()).toEqual([3]);
    for (const versioned of ['datasetKey', 'browsePathsV2']) {
      const rejected = await propose(versioned, { 'Start-Time-Millis': '2' });
      expect([rejected.status, at(rejected.json, 'message')]).toEqual([
        422,
        `Aspect ${versioned} has versions, so a time range of it cannot be deleted`,
      ]);
    }
    expect((await propose(aspectName, { 'Start-Time-Millis': 'now' })).status).toBe(400);
    expect(await moments()).toEqual([3]);
  });

  it('appears in the history of the entity', async () => {
    await write(1);
    await gone();
    const { json } = await catalog.http.get(`/entitiesV2/${encodeURIComponent(urn)}/timeline`);
    const [change] = at(json, 'changes') as readonly JsonValue[];
    expect(change).toMatchObject({ aspectName, kind: 'DELETED', differences: [] });
    expect(change).not.toHaveProperty('isCut');
  });
});
