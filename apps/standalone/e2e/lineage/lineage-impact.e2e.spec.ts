import { beforeAll, describe, expect, it } from '@jest/globals';
import { dataset, user } from '../relationships/edge-forms';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const CHART = 'urn:li:chart:(looker,sales)';
const UNKNOWN_STAMP = { time: 0, actor: 'urn:li:corpuser:unknown' };
const column = (table: string, name: string): string => `urn:li:schemaField:(${dataset(table)},${name})`;
const derived = (from: string, to: string, pairs: readonly (readonly [string, string])[] = []) => ({
  upstreams: [{ dataset: dataset(from), type: 'TRANSFORMED' }],
  fineGrainedLineages: pairs.map(([upstream, downstream]) => ({
    upstreamType: 'FIELD_SET',
    upstreams: [column(from, upstream)],
    downstreamType: 'FIELD',
    downstreams: [column(to, downstream)],
  })),
});

describe('the impact of a change', () => {
  const catalog = catalogForSuite();
  let waitFor: string;
  const ask = (urn: string, query = '') =>
    catalog.http.get(`/lineage/${encodeURIComponent(urn)}/impact${query}`, {
      'X-Stratalog-Wait-For': waitFor,
    });

  beforeAll(async () => {
    const { http } = catalog;
    await http.write(dataset('b'), 'upstreamLineage', derived('a', 'b', [['x', 'x']]));
    await http.write(
      dataset('c'),
      'upstreamLineage',
      derived('b', 'c', [
        ['x', 'y'],
        ['z', 'z'],
      ]),
    );
    await http.write(CHART, 'chartInfo', {
      title: 'Sales',
      description: 'by month',
      inputs: [{ string: dataset('c') }],
      lastModified: { created: UNKNOWN_STAMP, lastModified: UNKNOWN_STAMP },
    });
    await http.write(dataset('gone'), 'upstreamLineage', derived('a', 'gone'));
    await http.write(dataset('gone'), 'status', { removed: true });
    await http.write(user('ada'), 'corpUserInfo', { active: true, displayName: 'Ada' });
    for (const urn of [dataset('b'), dataset('c')]) {
      await http.write(urn, 'ownership', {
        owners: [{ owner: user('ada'), type: 'DATAOWNER' }],
        lastModified: UNKNOWN_STAMP,
      });
    }
    waitFor = await http.write(dataset('a'), 'status', { removed: false });
    await http.caughtUp();
  });

  it('is counted by type, distance, platform and owner, with the shortest path to each', async () => {
    const { status, json } = await ask(dataset('a'));
    expect([status, json]).toEqual([
      200,
      {
        urn: dataset('a'),
        entities: 3,
        columns: 2,
        byType: { dataset: 2, chart: 1 },
        byDegree: { 1: 1, 2: 1, 3: 1 },
        byPlatform: { 'urn:li:dataPlatform:hive': 2, 'urn:li:dataPlatform:looker': 1 },
        owners: [{ owner: user('ada'), name: 'Ada', entities: 2 }],
        withoutOwner: 1,
        nearest: [
          { entity: dataset('b'), degree: 1, path: [dataset('a'), dataset('b')] },
          { entity: dataset('c'), degree: 2, path: [dataset('a'), dataset('b'), dataset('c')] },
          { entity: CHART, degree: 3, path: [dataset('a'), dataset('b'), dataset('c'), CHART] },
        ],
        filtered: 1,
      },
    ]);
    const near = await ask(dataset('a'), '?maxHops=1&count=0&includeSoftDeleted=true');
    expect(near.json).toMatchObject({ entities: 2, byDegree: { 1: 2 }, nearest: [] });
  });

  it('the impact of a change of a column is what depends on that column alone', async () => {
    const { json } = await ask(dataset('b'), '?column=x');
    expect(json).toMatchObject({
      column: 'x',
      entities: 1,
      columns: 1,
      byType: { dataset: 1 },
      nearest: [{ entity: dataset('c'), degree: 1, path: [dataset('b'), dataset('c')] }],
    });
    expect((await ask(dataset('b'), '?column=unused')).json).toMatchObject({
      entities: 0,
      columns: 0,
      owners: [],
      nearest: [],
    });
  });

  it.each([
    [dataset('a'), '?maxHops=0', /maxHops/],
    [dataset('a'), '?count=1001', /count/],
    [column('a', 'x'), '?column=x', /'urn' is a column itself/],
    ['urn:li:tag:pii', '', /has no lineage/],
    ['no urn', '', /Invalid urn/],
  ])('rejects %s%s', async (urn, query, reason) => {
    const { status, json } = await ask(urn, query);
    expect([status, at(json, 'message')]).toEqual([400, expect.stringMatching(reason)]);
  });
});
