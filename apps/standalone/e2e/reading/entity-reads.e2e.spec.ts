import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,shop.orders,PROD)';
const TERM = 'urn:li:glossaryTerm:finance.Revenue';
const STAMP = { time: 1, actor: 'urn:li:corpuser:x' };
const OWNERSHIP = { owners: [{ owner: 'urn:li:corpuser:x', type: 'DATAOWNER' }], lastModified: STAMP };
const DATASET_KEY = { name: 'shop.orders', platform: 'urn:li:dataPlatform:hive', origin: 'PROD' };

describe('Reads of entities', () => {
  const catalog = catalogForSuite();
  beforeAll(async () => {
    await catalog.http.write(DATASET, 'datasetProperties', { description: 'one' });
    await catalog.http.write(DATASET, 'datasetProperties', { description: 'two' });
    await catalog.http.write(DATASET, 'ownership', OWNERSHIP);
    await catalog.http.write(TERM, 'glossaryTermInfo', { definition: 'money', termSource: 'EXTERNAL' });
    await catalog.http.write(TERM, 'ownership', OWNERSHIP);
    await catalog.http.write('urn:li:container:box', 'containerProperties', { name: 'box' });
  });

  const read = async (target: string): Promise<JsonValue> => {
    const { status, json, body } = await catalog.http.get(target);
    if (status !== 200) throw new Error(`${target}: ${body}`);
    return json;
  };
  const list = (urns: readonly string[]): string => `List(${urns.map(encodeURIComponent).join(',')})`;

  it('answers several entities at once, each as in a single read', async () => {
    const urns = [TERM, DATASET, 'urn:li:container:box'];
    const batch = await read(`/entitiesV2?ids=${list(urns)}`);
    expect(Object.keys(batch as object)).toEqual(['results', 'statuses', 'errors']);
    expect(Object.keys(at(batch, 'results') as object)).toEqual(urns);
    for (const urn of urns) {
      expect(at(batch, 'results', urn)).toEqual(await read(`/entitiesV2/${encodeURIComponent(urn)}`));
    }
  });

  it.each([
    ['a list', `ids=${list([DATASET, TERM])}&aspects=List(ownership)`],
    ['a whole encoded list', `ids=${encodeURIComponent(`List(${DATASET},${TERM})`)}&aspects=ownership`],
    [
      'repeated parameters',
      `ids=${encodeURIComponent(DATASET)}&ids=${encodeURIComponent(TERM)}&aspects=ownership`,
    ],
    ['raw urns, twice', `ids=List(${DATASET},${TERM},${DATASET})&aspects=ownership,nothing`],
  ])('takes %s', async (_name, query) => {
    const results = at(await read(`/entitiesV2?${query}`), 'results') as object;
    const names = Object.entries(results).map(([urn, entity]) => [
      urn,
      Object.keys(at(entity as JsonValue, 'aspects') as object),
    ]);
    expect(names).toEqual([
      [DATASET, ['datasetKey', 'ownership']],
      [TERM, ['glossaryTermKey', 'ownership']],
    ]);
  });

  it('answers nothing for no ids, and a key aspect for an unknown urn', async () => {
    expect(await read('/entitiesV2?ids=List()')).toEqual({ results: {}, statuses: {}, errors: {} });
    const unknown = await read('/entitiesV2?ids=urn:li:tag:nobody');
    expect(Object.keys(at(unknown, 'results', 'urn:li:tag:nobody', 'aspects') as object)).toEqual(['tagKey']);
  });

  it('answers a snapshot with the key aspect first', async () => {
    expect(await read(`/entities/${encodeURIComponent(DATASET)}`)).toEqual({
      value: {
        'com.linkedin.metadata.snapshot.DatasetSnapshot': {
          urn: DATASET,
          aspects: [
            { 'com.linkedin.metadata.key.DatasetKey': DATASET_KEY },
            { 'com.linkedin.common.BrowsePaths': { paths: ['/prod/hive/shop'] } },
            { 'com.linkedin.common.BrowsePathsV2': { path: [{ id: 'shop' }] } },
            { 'com.linkedin.common.DataPlatformInstance': { platform: 'urn:li:dataPlatform:hive' } },
            { 'com.linkedin.dataset.DatasetProperties': { description: 'two' } },
            { 'com.linkedin.common.Ownership': OWNERSHIP },
          ],
        },
      },
    });
  });

  it('answers the requested aspects of a snapshot, and the key of an unknown entity', async () => {
    expect(await read(`/entities/${DATASET}?aspects=List(ownership,chartInfo)`)).toMatchObject({
      value: {
        'com.linkedin.metadata.snapshot.DatasetSnapshot': {
          aspects: [
            { 'com.linkedin.metadata.key.DatasetKey': DATASET_KEY },
            { 'com.linkedin.common.Ownership': OWNERSHIP },
          ],
        },
      },
    });
    expect(await read('/entities/urn:li:dashboard:(looker,foo)')).toEqual({
      value: {
        'com.linkedin.metadata.snapshot.DashboardSnapshot': {
          urn: 'urn:li:dashboard:(looker,foo)',
          aspects: [
            { 'com.linkedin.metadata.key.DashboardKey': { dashboardId: 'foo', dashboardTool: 'looker' } },
          ],
        },
      },
    });
  });

  it('answers a glossary term as the contract shows it, with and without its group', async () => {
    const info = { definition: 'money', termSource: 'EXTERNAL' };
    for (const urn of [TERM, 'urn:li:glossaryTerm:(finance,finance.Revenue)']) {
      const body = await read(`/entities/${encodeURIComponent(urn)}`);
      expect(at(body, 'value', 'com.linkedin.metadata.snapshot.GlossaryTermSnapshot')).toEqual({
        urn: TERM,
        aspects: [
          { 'com.linkedin.metadata.key.GlossaryTermKey': { name: 'finance.Revenue' } },
          { 'com.linkedin.glossary.GlossaryTermInfo': info },
          { 'com.linkedin.common.Ownership': OWNERSHIP },
        ],
        ownership: OWNERSHIP,
        glossaryTermInfo: info,
      });
    }
  });

  it('answers several snapshots of several types at once', async () => {
    const batch = await read(`/entities?ids=${list([DATASET, TERM])}`);
    for (const urn of [DATASET, TERM]) {
      expect(at(batch, 'results', urn)).toEqual(await read(`/entities/${encodeURIComponent(urn)}`));
    }
  });

  it('answers entities at the versions in their version stamps', async () => {
    const ids = `List((urn:${encodeURIComponent(DATASET)},versionStamp:datasetProperties%3A1),(urn:urn%3Ali%3Adataset%3A(urn%3Ali%3AdataPlatform%3Ahive%2Cother%2CPROD)))`;
    const batch = await read(`/entitiesVersionedV2?entityType=dataset&ids=${ids}`);
    const aspects = at(batch, 'results', DATASET, 'aspects') as Record<string, JsonValue>;
    expect(Object.keys(aspects)).toEqual(['datasetKey', 'datasetProperties']);
    expect(aspects.datasetProperties).toMatchObject({
      version: 1,
      value: { description: 'one' },
      systemMetadata: { version: '1' },
    });
    const plain = await read(
      `/entitiesVersionedV2?entityType=DATASET&ids=${list([DATASET])}&aspects=datasetProperties`,
    );
    expect(at(plain, 'results', DATASET)).toEqual(
      await read(`/entitiesV2/${DATASET}?aspects=datasetProperties`),
    );
    const gone = await read(
      `/entitiesVersionedV2?entityType=dataset&ids=(urn:${DATASET},versionStamp:datasetProperties:9;status:0)`,
    );
    expect(Object.keys(at(gone, 'results', DATASET, 'aspects') as object)).toEqual(['datasetKey']);
  });
});
