import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AspectRef, LatestAspects, LatestAspectsQuery } from '@stratalog/ports';
import { datasetUrn } from '@stratalog/testkit';
import { useTestedStore } from '../testing/tested-store.fixture';
import { PostgresLatestAspects } from './latest-aspects';

describe('PostgresLatestAspects', () => {
  let latest: LatestAspects;
  const tested = useTestedStore();
  const [a, b] = [datasetUrn('a_1'), datasetUrn('b%2')];

  beforeEach(async () => {
    latest = new PostgresLatestAspects(tested.database);
    tested.clock.time = 1_000;
    await tested.append(a, { datasetProperties: '{"a":1}', status: '{}' });
    tested.clock.time = 2_000;
    await tested.append(b, { datasetProperties: '{"b":1}' });
    tested.clock.time = 3_000;
    await tested.append(a, { status: '{"removed":true}' });
  });

  const list = async (query: Partial<LatestAspectsQuery> = {}): Promise<readonly string[]> => {
    const found = await latest.listAspects({ fromMs: 0, toMs: 9_000, start: 0, limit: 10, ...query });
    return found.map(({ urn, aspectName }) => `${urn === a ? 'a' : 'b'} ${aspectName}`);
  };

  it('lists the aspects of all entities in order, page by page', async () => {
    const all = ['a datasetProperties', 'a status', 'b datasetProperties'];
    expect(await list()).toEqual(all);
    expect(await list({ limit: 2 })).toEqual(all.slice(0, 2));
    expect(await list({ start: 1 })).toEqual(all.slice(1));
    const after: AspectRef = { urn: a, aspectName: 'status' };
    expect(await list({ after })).toEqual(all.slice(2));
    expect(await list({ start: 3 })).toEqual([]);
  });

  it('narrows by urn, aspect, pattern and the time of the latest version', async () => {
    expect(await list({ urn: b })).toEqual(['b datasetProperties']);
    expect(await list({ urn: a, aspectName: 'status' })).toEqual(['a status']);
    expect(await list({ aspectName: 'datasetProperties' })).toHaveLength(2);
    expect(await list({ urnLike: 'urn:li:dataset:%,b\\%2,%' })).toEqual(['b datasetProperties']);
    expect(await list({ urnLike: '%,a_1,%' })).toHaveLength(2);
    expect(await list({ urnLike: 'urn:li:chart:%' })).toEqual([]);
    expect(await list({ fromMs: 2_000 })).toEqual(['a status', 'b datasetProperties']);
    expect(await list({ fromMs: 1_000, toMs: 2_000 })).toEqual([
      'a datasetProperties',
      'b datasetProperties',
    ]);
  });
});
