import { describe, expect, it } from '@jest/globals';
import { stringifyJson, type JsonObject, type JsonOutput, type JsonOutputObject } from '@stratalog/json';
import { makeExampleUrn } from '@stratalog/registry';
import { at } from '../testing/catalog/catalog-client';
import type { Answer } from '../testing/catalog/raw-http';
import { catalogForSuite } from '../testing/catalog/suite-catalog';

const SNAPSHOT = 'com.linkedin.metadata.snapshot.';
const AVRO = 'com.linkedin.pegasus2avro.';
const stamp = { time: 0, actor: 'urn:li:corpuser:unknown' };
const ownership = {
  owners: [{ owner: 'urn:li:corpuser:jane', type: 'DATAOWNER' }],
  lastModified: stamp,
};
const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.${name},PROD)`;
const tag = (name: string, aspects: JsonOutput = properties(name)): JsonOutputObject => ({
  value: { [`${SNAPSHOT}TagSnapshot`]: { urn: `urn:li:tag:${name}`, aspects } },
});
const properties = (name: JsonOutput): JsonOutput => [{ 'com.linkedin.tag.TagProperties': { name } }];

/** Deeper than any value may be, within the limit of the body around it. */
function nested(depth: number): JsonOutput {
  let value: JsonOutput = 'x';
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

describe('Legacy snapshots', () => {
  const catalog = catalogForSuite();
  const ingest = (body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post('/entities?action=ingest', stringifyJson(body));
  const batchIngest = (body: JsonOutputObject): Promise<Answer> =>
    catalog.http.post('/entities?action=batchIngest', stringifyJson(body));
  const isThere = async (urn: string): Promise<boolean> => {
    const { json } = await catalog.http.post('/entities?action=exists', stringifyJson({ urn }));
    return at(json, 'value') === true;
  };
  const message = ({ json }: Answer) => at(json, 'message');

  it('write all their aspects, and answer only the urn', async () => {
    const urn = dataset('orders');
    const fields = [
      {
        fieldPath: 'id',
        nativeDataType: 'bigint',
        nullable: false,
        type: { type: { [`${AVRO}schema.NumberType`]: {} } },
      },
    ];
    const schema = {
      schemaName: 'orders',
      platform: 'urn:li:dataPlatform:postgres',
      version: 0,
      hash: '',
      platformSchema: { OtherSchema: { rawSchema: '' } },
      fields,
    };
    const aspects = [{ [`${AVRO}schema.SchemaMetadata`]: schema }, { Ownership: ownership }];
    const answer = await ingest({
      entity: { value: { [`${AVRO}metadata.snapshot.DatasetSnapshot`]: { urn, aspects } } },
      systemMetadata: { runId: 'r1', lastObserved: 7 },
    });
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(answer.headers).toMatchObject({ 'content-length': '0' });
    expect(answer.headers).not.toHaveProperty('content-type');

    const { json } = await catalog.http.entity(urn);
    expect(at(json, 'aspects', 'schemaMetadata', 'value')).toEqual({
      ...schema,
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields: [{ ...fields[0], type: { type: { 'com.linkedin.schema.NumberType': {} } } }],
    });
    expect(at(json, 'aspects', 'ownership')).toMatchObject({
      value: ownership,
      systemMetadata: { runId: 'r1', lastObserved: 7, version: '1' },
    });
    expect(Object.keys(at(json, 'aspects') as JsonObject)).toEqual(
      expect.arrayContaining(['datasetKey', 'dataPlatformInstance', 'browsePathsV2']),
    );
    const waitFor = answer.headers['x-stratalog-position'];
    expect((await catalog.http.find('orders', { waitFor })).urns).toContain(urn);
  });

  it('can be read and written back without a change', async () => {
    const urn = dataset('orders');
    const target = `/entities/${encodeURIComponent(urn)}`;
    const { json: before } = await catalog.http.get(target);
    expect((await ingest({ entity: before })).status).toBe(200);
    expect((await catalog.http.get(target)).json).toEqual(before);
    expect((await catalog.http.aspect(urn, 'ownership', 2)).status).toBe(404);
    const { json } = await catalog.http.entity(urn);
    expect(at(json, 'aspects', 'ownership', 'systemMetadata')).toMatchObject({
      runId: 'no-run-id-provided',
      lastRunId: 'r1',
    });
  });

  it('accept every entity type, without aspects', async () => {
    for (const { recordName, entityType } of catalog.deps.registry.snapshots.values()) {
      const urn = makeExampleUrn(catalog.deps.registry, entityType) ?? entityType.name;
      const { status, body } = await ingest({ entity: { value: { [recordName]: { urn, aspects: [] } } } });
      expect({ urn, status, body }).toEqual({ urn, status: 200, body: '' });
      expect(await isThere(urn)).toBe(true);
    }
  });

  it('legacy snapshots of one entity are written in order, with any number in between', async () => {
    const names = Array.from({ length: 150 }, (_, at) => `turn-${String(at)}`);
    const entities = names.map((name, at) =>
      at % 3 === 0 ? tag('in-turns', properties(name)) : tag(`between-${String(at)}`),
    );
    expect((await batchIngest({ entities })).status).toBe(200);
    const { json } = await catalog.http.entity('urn:li:tag:in-turns');
    expect(at(json, 'aspects', 'tagProperties')).toMatchObject({
      value: { name: 'turn-147' },
      systemMetadata: { version: '50' },
    });
    expect(await isThere('urn:li:tag:between-149')).toBe(true);
  });

  it('may name an aspect in another package than the model, unless that has another type of this name', async () => {
    const misnamed = (name: string, record: string): JsonOutputObject => ({
      entity: tag(name, [{ [record]: { name: 'pii', description: 'as documented' } }]),
    });
    expect((await ingest(misnamed('documented', 'com.linkedin.dashboard.TagProperties'))).status).toBe(200);
    const { json } = await catalog.http.entity('urn:li:tag:documented');
    expect(at(json, 'aspects', 'tagProperties', 'value')).toEqual({
      name: 'pii',
      description: 'as documented',
    });
    // A type of the model whose last part matches no aspect of tags, and one that only resembles it.
    for (const record of ['com.linkedin.dashboard.DashboardInfo', 'com.linkedin.dashboard.tagProperties']) {
      expect((await ingest(misnamed('bad', record))).status).toBe(422);
    }
    expect(await isThere('urn:li:tag:bad')).toBe(false);
  });

  it('legacy snapshots of several entities are written, each by itself', async () => {
    const entities = [tag('one'), tag('two'), tag('one', properties('again'))];
    const systemMetadata = ['a', 'b', 'c'].map((runId) => ({ runId }));
    const answer = await batchIngest({ entities, systemMetadata });
    expect([answer.status, answer.body]).toEqual([200, '']);
    const { json } = await catalog.http.entity('urn:li:tag:one');
    expect(at(json, 'aspects', 'tagProperties')).toMatchObject({
      value: { name: 'again' },
      systemMetadata: { runId: 'c', version: '2' },
    });
    const waitFor = answer.headers['x-stratalog-position'];
    expect((await catalog.http.find('two', { entity: 'tag', waitFor })).total).toBe(1);
    expect((await batchIngest({ entities: [] })).status).toBe(200);
  });

  const PLACE = `/entity/value/${SNAPSHOT}TagSnapshot`;
  it.each<[string, JsonOutputObject, number, string]>([
    ['no entity', {}, 400, "Parameter 'entity' is required"],
    ['a null entity', { entity: null }, 400, "Parameter 'entity' is required"],
    ['an entity of another type', { entity: 'x' }, 400, '/entity :: "x" is not an object'],
    ['no value', { entity: {} }, 400, '/entity/value :: is required'],
    [
      'two values',
      { entity: { value: { a: {}, b: {} } } },
      400,
      '/entity/value :: must have exactly one member',
    ],
    [
      'an unknown snapshot',
      { entity: { value: { 'a.BSnapshot': { urn: 'urn:li:tag:bad', aspects: [] } } } },
      422,
      'ERROR :: /entity/value/a.BSnapshot :: is no snapshot of the model',
    ],
    ['aspects that are no list', { entity: tag('bad', {}) }, 400, `${PLACE}/aspects :: is not a list`],
    ['a null aspect', { entity: tag('bad', [null]) }, 400, `${PLACE}/aspects/0 :: is required`],
    [
      'an unknown aspect',
      { entity: tag('bad', [{ 'a.B': {} }]) },
      422,
      `${PLACE}/aspects/0/a.B :: is no aspect`,
    ],
    [
      'a good aspect and a bad one',
      { entity: tag('bad', [{ Status: { removed: false } }, { TagProperties: { name: 7 } }]) },
      422,
      `${PLACE}/aspects/1/TagProperties/name :: `,
    ],
    ['a value that is nested too deep', { entity: tag('bad', properties(nested(250))) }, 400, 'nested'],
    [
      'the urn of another type',
      { entity: { value: { DatasetSnapshot: { urn: 'urn:li:tag:bad', aspects: [] } } } },
      422,
      '/entity/value/DatasetSnapshot/urn :: is the urn of a tag, not of a dataset',
    ],
    [
      'a text for system metadata',
      { entity: tag('bad'), systemMetadata: 'x' },
      400,
      '/systemMetadata :: "x" is not an object',
    ],
  ])('are rejected with %s, and nothing is written', async (_what, body, status, reason) => {
    const answer = await ingest(body);
    expect([answer.status, message(answer)]).toEqual([status, expect.stringContaining(reason)]);
    expect(await isThere('urn:li:tag:bad')).toBe(false);
  });

  it.each<[string, JsonOutputObject, number, string]>([
    ['no list', {}, 400, "Parameter 'entities' is required"],
    ['a text for the list', { entities: 'x' }, 400, '/entities :: "x" is not a list'],
    ['a null', { entities: [tag('bad'), null] }, 400, '/entities/1 :: is required'],
    [
      'too few system metadata',
      { entities: [tag('bad')], systemMetadata: [] },
      412,
      'entities and systemMetadata length must match',
    ],
    [
      'one that does not fit',
      { entities: [tag('bad'), tag('worse', properties(7))] },
      422,
      `/entities/1/value/${SNAPSHOT}TagSnapshot/aspects/0/com.linkedin.tag.TagProperties/name :: `,
    ],
  ])(
    'legacy snapshots of several entities are rejected with %s, and none is written',
    async (_what, body, status, reason) => {
      const answer = await batchIngest(body);
      expect([answer.status, message(answer)]).toEqual([status, expect.stringContaining(reason)]);
      expect(await isThere('urn:li:tag:bad')).toBe(false);
    },
  );
});
