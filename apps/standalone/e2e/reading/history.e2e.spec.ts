import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject, JsonOutputObject, JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,past,PROD)';
const PATH = encodeURIComponent(DATASET);
const PROPERTIES = 'com.linkedin.dataset.DatasetProperties';
const UNKNOWN_USER = 'urn:li:corpuser:unknown';

describe('The past of an entity', () => {
  const catalog = catalogForSuite();
  /** The time of each step: the stamp of its version. */
  const times: number[] = [];

  beforeAll(async () => {
    const owner = (name: string): JsonOutputObject => ({
      owner: `urn:li:corpuser:${name}`,
      type: 'DATAOWNER',
    });
    const write = async (aspectName: string, value: JsonOutputObject): Promise<void> => {
      await catalog.http.write(DATASET, aspectName, value);
      const { json } = await catalog.http.entity(DATASET, `?aspects=${aspectName}`);
      times.push(at(json, 'aspects', aspectName, 'created', 'time') as number);
      // The next version gets a stamp of its own.
      const { clock } = catalog.deps;
      for (const now = clock.now(); clock.now() === now;);
    };
    for (const n of [1, 2, 3]) await write('datasetProperties', { description: `d${String(n)}` });
    await write('ownership', { owners: [owner('a'), owner('b')] });
    await write('ownership', { owners: [owner('b'), owner('c')] });
    await write('datasetProperties', { description: 'd4', customProperties: { k: 'v' } });
    const gone = await catalog.http.ingest({
      urn: DATASET,
      aspectName: 'ownership',
      value: {},
      members: { changeType: 'DELETE', aspect: undefined },
    });
    expect(gone.status).toBe(200);
  });

  const read = async (target: string): Promise<JsonValue> => {
    const { status, json, body } = await catalog.http.get(target);
    if (status !== 200) throw new Error(`${target}: ${body}`);
    return json;
  };
  const members = (list: JsonValue | undefined, ...names: readonly string[]): unknown[] =>
    (list as JsonObject[]).map((each) => names.map((name) => each[name]));

  it('is read in a range of versions, the newest first, with stamps', async () => {
    const body = await read(`/aspects/${PATH}?aspect=datasetProperties&startVersion=2&endVersion=3`);
    expect(body).toEqual({
      urn: DATASET,
      aspectName: 'datasetProperties',
      oldestVersion: 1,
      newestVersion: 4,
      versions: [3, 2].map((version) => ({
        version,
        kind: 'UPSERT',
        aspect: { [PROPERTIES]: { description: `d${String(version)}` } },
        created: { time: times[version - 1], actor: UNKNOWN_USER },
        systemMetadata: expect.objectContaining({ runId: 'no-run-id-provided', version: String(version) }),
      })),
    });
  });

  it.each([
    ['DESCENDING', [[4, 3, 2], [1]]],
    ['ASCENDING', [[1, 2, 3], [4]]],
  ])('is read page by page in the order %s', async (order, pages) => {
    const first = await read(`/aspects/${PATH}?aspect=datasetProperties&order=${order}&count=3`);
    const { startVersion, endVersion } = at(first, 'next') as Record<string, number>;
    const second = await read(
      `/aspects/${PATH}?aspect=datasetProperties&order=${order}&count=3&startVersion=${String(startVersion)}&endVersion=${String(endVersion)}`,
    );
    expect([first, second].map((page) => members(at(page, 'versions'), 'version').flat())).toEqual(pages);
    expect(second).not.toHaveProperty('next');
  });

  it('shows a deletion as a version without value', async () => {
    const body = await read(`/aspects/${PATH}?aspect=ownership&order=ascending`);
    expect(members(at(body, 'versions'), 'version', 'kind')).toEqual([
      [1, 'UPSERT'],
      [2, 'UPSERT'],
      [3, 'DELETE'],
    ]);
    expect((at(body, 'versions') as JsonObject[])[2]).not.toHaveProperty('aspect');
  });

  it('can be read at any time, for one entity or several', async () => {
    const descriptionAt = async (asOf: number): Promise<unknown> => {
      const entity = await read(`/entitiesV2/${PATH}?asOf=${String(asOf)}&aspects=datasetProperties`);
      const batch = await read(
        `/entitiesV2?ids=List(${PATH})&asOf=${String(asOf)}&aspects=datasetProperties`,
      );
      // A read computes the key aspect of an entity that did not exist yet.
      const seen = (body: JsonValue | undefined): unknown => at(body, 'aspects', 'datasetProperties');
      expect(seen(at(batch, 'results', DATASET))).toEqual(seen(entity));
      expect(at(entity, 'asOf')).toBe(asOf);
      const envelope = at(entity, 'aspects', 'datasetProperties');
      return envelope === undefined
        ? undefined
        : [at(envelope, 'version'), at(envelope, 'value', 'description')];
    };
    expect(await descriptionAt((times[0] ?? 0) - 1)).toBeUndefined();
    expect(await descriptionAt(times[0] ?? 0)).toEqual([1, 'd1']);
    expect(await descriptionAt((times[1] ?? 0) - 1)).toEqual([1, 'd1']);
    expect(await descriptionAt(times[1] ?? 0)).toEqual([2, 'd2']);
    expect(await descriptionAt(times[4] ?? 0)).toEqual([3, 'd3']);
    expect(await descriptionAt(Number.MAX_SAFE_INTEGER)).toEqual([4, 'd4']);
  });

  it('includes aspects that were deleted since, and excludes later ones', async () => {
    const names = async (asOf: number): Promise<string[]> =>
      Object.keys(at(await read(`/entitiesV2/${PATH}?asOf=${String(asOf)}`), 'aspects') as object);
    expect(await names(times[5] ?? 0)).toEqual([
      'datasetKey',
      'browsePaths',
      'browsePathsV2',
      'dataPlatformInstance',
      'datasetProperties',
      'ownership',
    ]);
    expect(await names(times[2] ?? 0)).not.toContain('ownership');
    expect(await names(Number.MAX_SAFE_INTEGER)).not.toContain('ownership');
    expect(await names(0)).toEqual(['datasetKey']);
  });

  it('is read of one aspect, under the number of its version', async () => {
    const target = (asOf: number): string =>
      `/aspects/${PATH}?aspect=ownership&version=0&asOf=${String(asOf)}`;
    expect(at(await read(target(times[3] ?? 0)), 'version')).toBe(1);
    expect(at(await read(target(times[5] ?? 0)), 'version')).toBe(2);
    const gone = await catalog.http.get(target(Number.MAX_SAFE_INTEGER));
    expect([gone.status, at(gone.json, 'message')]).toEqual([
      404,
      `Did not find urn: ${DATASET} aspect: ownership as of: ${String(Number.MAX_SAFE_INTEGER)}`,
    ]);
  });

  it('lists changes with time, actor and path, the newest first', async () => {
    const body = await read(`/entitiesV2/${PATH}/timeline?aspects=List(datasetProperties,ownership)`);
    expect(members(at(body, 'changes'), 'aspectName', 'version', 'kind')).toEqual([
      ['ownership', 3, 'DELETED'],
      ['datasetProperties', 4, 'CHANGED'],
      ['ownership', 2, 'CHANGED'],
      ['ownership', 1, 'CREATED'],
      ['datasetProperties', 3, 'CHANGED'],
      ['datasetProperties', 2, 'CHANGED'],
      ['datasetProperties', 1, 'CREATED'],
    ]);
    const [, properties, owners] = at(body, 'changes') as JsonObject[];
    expect(properties).toMatchObject({
      time: times[5],
      actor: UNKNOWN_USER,
      systemMetadata: { version: '4' },
      differences: [
        { path: '/customProperties', kind: 'added', newValue: { k: 'v' } },
        { path: '/description', kind: 'changed', oldValue: 'd3', newValue: 'd4' },
      ],
    });
    expect(members(owners?.differences, 'path', 'kind')).toEqual([
      ['/owners/urn:li:corpuser:a/DATAOWNER', 'removed'],
      ['/owners/urn:li:corpuser:c/DATAOWNER', 'added'],
    ]);
  });

  it('lists them page by page, within a time range, and under every spelling of the path', async () => {
    const seen: unknown[] = [];
    let cursor: string | undefined = '';
    for (let pages = 0; cursor !== undefined && pages < 20; pages++) {
      const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page: JsonValue = await read(`/gms/entitiesV2/${DATASET}/timeline?count=2${query}`);
      seen.push(...members(at(page, 'changes'), 'aspectName', 'version'));
      cursor = at(page, 'next') as string | undefined;
    }
    const whole = await read(`/entitiesV2/${PATH}/timeline?count=100`);
    expect(seen).toEqual(members(at(whole, 'changes'), 'aspectName', 'version'));
    expect(seen).toHaveLength(11);

    const within = await read(
      `/entitiesV2/${PATH}/timeline?startTime=${String(times[1])}&endTime=${String(times[2])}`,
    );
    expect(members(at(within, 'changes'), 'version')).toEqual([[3], [2]]);
    expect(await read('/entitiesV2/urn:li:tag:nobody/timeline')).toEqual({
      urn: 'urn:li:tag:nobody',
      entityName: 'tag',
      changes: [],
    });
  });

  it('does not take a urn that ends like a part of an entity for that part', async () => {
    await catalog.http.write('urn:li:tag:a/timeline', 'status', { removed: false });
    const entity = await read('/entitiesV2/urn:li:tag:a%2Ftimeline?aspects=status');
    expect(at(entity, 'urn')).toBe('urn:li:tag:a/timeline');
    const past = await read('/entitiesV2/urn:li:tag:a%2Ftimeline/timeline');
    expect(members(at(past, 'changes'), 'aspectName')).toEqual([['tagKey'], ['status']].reverse());
  });

  it('is lost with a hard-deleted entity, and is reported as lost', async () => {
    const urn = 'urn:li:tag:erased';
    await catalog.http.write(urn, 'tagProperties', { name: 'x' });
    const time = at(
      (await catalog.http.entity(urn)).json,
      'aspects',
      'tagProperties',
      'created',
      'time',
    ) as number;
    const gone = await catalog.http.ingest({
      urn,
      aspectName: 'tagKey',
      value: {},
      members: { changeType: 'DELETE', aspect: undefined },
    });
    expect(gone.status).toBe(200);
    const past = await read(`/entitiesV2/${urn}?asOf=${String(time)}`);
    expect(at(past, 'lost')).toEqual(expect.arrayContaining(['tagKey', 'tagProperties']));
    expect(await catalog.http.get(`/aspects/${urn}?aspect=tagProperties&asOf=${String(time)}`)).toMatchObject(
      {
        status: 404,
        json: { message: expect.stringContaining('not kept any more') },
      },
    );
    const { changes } = (await read(`/entitiesV2/${urn}/timeline?aspects=tagProperties`)) as JsonObject;
    expect(members(changes, 'kind', 'isCut', 'differences')).toEqual([
      ['DELETED', true, []],
      ['CREATED', true, []],
    ]);
  });
});
