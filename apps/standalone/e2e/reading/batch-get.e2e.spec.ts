import { beforeAll, describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonOutput, type JsonOutputObject, type JsonValue } from '@stratalog/json';
import { at } from '../testing/catalog/catalog-client';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const urnOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,shop.${name},PROD)`;
const ORDERS = urnOf('orders');
const GONE = urnOf('gone');
const SOFT_DELETED = urnOf('hidden');
const NEVER = urnOf('never');
const MORNING = 1_700_006_400_000;
const atVersion = (version: string | number) => ({ headers: { 'If-Version-Match': version } });

describe('batchGet of OpenAPI clients', () => {
  const catalog = catalogForSuite();
  const send = (body: JsonOutput, query = '', headers: Record<string, string> = {}, prefix = '') =>
    catalog.http.post(`${prefix}/openapi/v3/entity/dataset/batchGet${query}`, stringifyJson(body), headers);
  const read = async (body: JsonOutput, query = ''): Promise<JsonValue> => {
    const answer = await send(body, query);
    if (answer.status !== 200) throw new Error(answer.body);
    return answer.json;
  };
  const latest = async (urn: string, aspect: string, ...path: readonly string[]) =>
    at((await catalog.http.entity(urn)).json, 'aspects', aspect, ...path);

  beforeAll(async () => {
    const run = { members: { systemMetadata: { runId: 'night', lastObserved: 7, pipelineName: 'shop' } } };
    for (const description of ['one', 'two', 'three']) {
      await catalog.http.ingest({
        urn: ORDERS,
        aspectName: 'datasetProperties',
        value: { description },
        ...run,
      });
    }
    await catalog.http.write(ORDERS, 'status', { removed: false });
    for (const hour of [0, 1, 2]) {
      const value = { timestampMillis: MORNING + hour * 3_600_000, rowCount: hour };
      await catalog.http.write(ORDERS, 'datasetProfile', value);
    }
    await catalog.http.write(SOFT_DELETED, 'status', { removed: true });
    await catalog.http.write(GONE, 'datasetProperties', { description: 'gone' });
    await catalog.http.post('/entities?action=delete', stringifyJson({ urn: GONE }));
  });

  it('answers the requested aspects, and leaves out what does not exist', async () => {
    const body = [
      { urn: NEVER, datasetProperties: {} },
      { urn: ORDERS, datasetProperties: {}, ownership: {} },
      { urn: GONE, datasetProperties: {} },
      { urn: SOFT_DELETED, status: {}, datasetProperties: {} },
      { urn: SOFT_DELETED, ownership: {} },
    ];
    expect(await read(body)).toEqual([
      { urn: ORDERS, datasetProperties: { value: { description: 'three' } } },
      { urn: SOFT_DELETED, status: { value: { removed: true } } },
      { urn: SOFT_DELETED },
    ]);
  });

  it.each(['/gms', '/api/gms'])('serves the path under %s', async (prefix) => {
    const answer = await send([{ urn: ORDERS, status: {} }], '', {}, prefix);
    expect([answer.status, answer.json]).toEqual([
      200,
      [{ urn: ORDERS, status: { value: { removed: false } } }],
    ]);
  });

  it('answers everything of an entity that names no aspect', async () => {
    const [entity] = (await read([{ urn: ORDERS }])) as readonly JsonValue[];
    expect(Object.keys(entity as object).sort()).toEqual([
      'browsePaths',
      'browsePathsV2',
      'dataPlatformInstance',
      'datasetKey',
      'datasetProfile',
      'datasetProperties',
      'status',
      'urn',
    ]);
    expect(at(entity, 'datasetProfile', 'value')).toEqual({
      timestampMillis: MORNING + 7_200_000,
      rowCount: 2,
    });
    expect(at(entity, 'datasetKey', 'value')).toEqual(await latest(ORDERS, 'datasetKey', 'value'));
  });

  it('answers other versions by headers, different ones in one call', async () => {
    const body = [
      { urn: ORDERS, datasetProperties: atVersion('2'), status: {} },
      { urn: ORDERS, datasetProperties: atVersion(1) },
      { urn: ORDERS, datasetProperties: atVersion('0') },
      { urn: ORDERS, datasetProperties: atVersion('9') },
      { urn: NEVER, datasetProperties: atVersion('1') },
      { urn: ORDERS, datasetProfile: atVersion(String(MORNING + 3_600_001)) },
      { urn: ORDERS, datasetProfile: atVersion(String(MORNING - 1)) },
    ];
    const value = (description: string) => ({ datasetProperties: { value: { description } } });
    expect(await read(body)).toEqual([
      { urn: ORDERS, ...value('two'), status: { value: { removed: false } } },
      { urn: ORDERS, ...value('one') },
      { urn: ORDERS, ...value('three') },
      { urn: ORDERS },
      { urn: ORDERS, datasetProfile: { value: { timestampMillis: MORNING + 3_600_000, rowCount: 1 } } },
      { urn: ORDERS },
    ]);
  });

  it('adds system metadata and stamps when they are wanted, by which clients count versions back', async () => {
    const whole = (await read(
      [{ urn: ORDERS, datasetProperties: {}, datasetProfile: {} }],
      '?systemMetadata=true',
    )) as readonly JsonValue[];
    const properties = at(whole[0], 'datasetProperties');
    expect(properties).toEqual({
      value: { description: 'three' },
      systemMetadata: await latest(ORDERS, 'datasetProperties', 'systemMetadata'),
      auditStamp: await latest(ORDERS, 'datasetProperties', 'created'),
    });
    expect(at(properties, 'systemMetadata')).toMatchObject({
      runId: 'night',
      lastObserved: 7,
      pipelineName: 'shop',
      version: '3',
    });
    expect(Object.keys(at(whole[0], 'datasetProfile') as object)).toEqual(['value', 'systemMetadata']);
    const before = await read([{ urn: ORDERS, datasetProperties: atVersion('2') }], '?systemMetadata=true');
    expect(at((before as readonly JsonValue[])[0], 'datasetProperties')).toMatchObject({
      value: { description: 'two' },
      systemMetadata: { version: '2' },
      auditStamp: { actor: 'urn:li:corpuser:unknown' },
    });
  });

  it('passes over aspects that the type does not have, and says so of names outside the model', async () => {
    const answer = await send([{ urn: ORDERS, chartInfo: {}, shcemaMetadata: {} }]);
    expect([answer.status, answer.json]).toEqual([200, [{ urn: ORDERS }]]);
    expect(answer.headers['x-stratalog-warnings']).toContain('/entities/shcemaMetadata');
    const strict = await send([{ urn: ORDERS, shcemaMetadata: {} }], '', { 'X-Stratalog-Strict': 'true' });
    expect([strict.status, at(strict.json, 'message')]).toEqual([
      422,
      expect.stringContaining('did you mean schemaMetadata?'),
    ]);
  });

  it('answers an empty list for one', async () => {
    expect(await read([])).toEqual([]);
  });

  it.each<[string, JsonOutput, string]>([
    ['a urn of another type', [{ urn: 'urn:li:tag:a' }], 'urn:li:tag:a is not of entity type dataset'],
    ['no urn', [{ status: {} }], '/entities/0/urn :: is required'],
    ['a text for an aspect', [{ urn: ORDERS, status: 'x' }], '/entities/0/status :: "x" is not an object'],
    [
      'a word for a version',
      [{ urn: ORDERS, status: atVersion('newest') }],
      '/entities/0/status/headers/If-Version-Match :: "newest" is not',
    ],
    ['a negative version', [{ urn: ORDERS, status: atVersion('-1') }], 'If-Version-Match'],
    ['an object', { urn: ORDERS }, 'not a JSON list'],
    [
      'too many urns',
      Array.from({ length: 1_001 }, () => ({ urn: ORDERS })),
      '/entities :: has 1001 elements; at most 1000 are taken at once',
    ],
  ])('rejects %s with the form of all errors', async (_what, body, reason) => {
    const { status, json } = await send(body);
    expect([status, at(json, 'status'), at(json, 'message')]).toEqual([
      400,
      400,
      expect.stringContaining(reason),
    ]);
  });

  it('rejects an unknown entity type and an unknown form of systemMetadata', async () => {
    const body = stringifyJson([{ urn: ORDERS }] satisfies readonly JsonOutputObject[]);
    const unknown = await catalog.http.post('/openapi/v3/entity/datset/batchGet', body);
    expect([unknown.status, at(unknown.json, 'message')]).toEqual([
      400,
      expect.stringContaining('did you mean dataset?'),
    ]);
    expect((await send([{ urn: ORDERS }], '?systemMetadata=perhaps')).status).toBe(400);
  });
});
