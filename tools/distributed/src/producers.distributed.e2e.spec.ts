import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAvroSchema, readAvro } from '@stratalog/avro';
import { isJsonObject, parseJson, type JsonObject } from '@stratalog/json';
import { until } from '@stratalog/testkit';
import type { KafkaMessage } from 'kafkajs';
import { CatalogWithProducer } from './testing/apps/catalog-with-producer';
import { EMITTERS, avroRecord, registration } from './testing/apps/emitters';
import { TOKEN } from './testing/apps/test-servers';

const START_MS = limitMs(180_000);
const LIMIT_MS = limitMs(60_000);
const AUTHORIZATION = `Basic ${Buffer.from(`kafka:${TOKEN}`).toString('base64')}`;
const MEGABYTE = 1_000_000;

const urnOf = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:postgres,shop.${name},PROD)`;
/** A text that makes a body of about so many bytes: the quotes in it are escaped twice. */
const sized = (bytes: number): string => 'größe "日本" '.repeat(Math.floor(bytes / 23));

describe('producers of a distributed catalog', () => {
  let catalog: CatalogWithProducer;

  beforeAll(async () => {
    catalog = await CatalogWithProducer.start({
      apps: ['writer', 'indexer'],
      settings: (prefix) => ({
        STRATALOG_AUTH: 'all',
        KAFKA_CHANGE_FORMAT: 'avro',
        KAFKA_PROPOSAL_TOPIC: `${prefix}in`,
        KAFKA_CHANGE_TOPIC: `${prefix}out`,
      }),
    });
  }, START_MS);
  afterAll(() => catalog.end());

  const call = (target: string, init: RequestInit = {}): Promise<Response> =>
    fetch(catalog.url + target, {
      ...init,
      headers: { authorization: AUTHORIZATION, ...(init.headers as Record<string, string>) },
    });
  const read = async (urn: string): Promise<unknown> => {
    const answer = await call(`/aspects/${encodeURIComponent(urn)}?aspect=datasetProperties&version=0`);
    if (answer.status === 404) return undefined;
    const { aspect } = (await answer.json()) as { aspect: Record<string, { description?: unknown }> };
    return aspect['com.linkedin.dataset.DatasetProperties']?.description;
  };
  const proposal = (urn: string, description: string): JsonObject => ({
    entityType: 'dataset',
    entityUrn: urn,
    changeType: 'UPSERT',
    aspectName: 'datasetProperties',
    aspect: { value: JSON.stringify({ description }), contentType: 'application/json' },
  });
  const write = (urn: string, description: string): Promise<Response> =>
    call('/aspects?action=ingestProposal', {
      method: 'POST',
      body: JSON.stringify({ proposal: proposal(urn, description) }),
    });
  const produce = (urn: string, value: string | Buffer): Promise<void> => catalog.produce('in', urn, value);
  const found = async (input: string, position: string): Promise<unknown> => {
    const body = JSON.stringify({ input, entity: 'dataset', start: 0, count: 10 });
    const headers = { 'x-stratalog-wait-for': position };
    const answer = await call('/entities?action=search', { method: 'POST', body, headers });
    return ((await answer.json()) as { value: { entities: unknown } }).value.entities;
  };
  const toMessages = (topic: string, isLast: (message: KafkaMessage) => boolean) =>
    catalog.read(topic, `reader-of-${topic}`, isLast);
  /** The change of the topic that holds a description, read by the schema that it names. */
  const published = async (urn: string, description: string): Promise<JsonObject> => {
    let change: JsonObject = {};
    const isOurs = (members: unknown): members is JsonObject =>
      isJsonObject(members) &&
      JSON.stringify(members.aspect).includes(`description`) &&
      members.entityUrn === urn;
    const types = new Map<number, ReturnType<typeof parseAvroSchema>>();
    const messages = await toMessages('out', (message) => {
      return (
        message.key?.toString() === urn &&
        message.headers?.['stratalog-aspect']?.toString() === 'datasetProperties'
      );
    });
    for (const { value } of messages) {
      const bytes = value ?? Buffer.alloc(5);
      const id = bytes.readUInt32BE(1);
      const answer = await call(`/schema-registry/api/schemas/ids/${String(id)}`);
      const { schema } = (await answer.json()) as { schema: string };
      const type = types.get(id) ?? parseAvroSchema(schema);
      types.set(id, type);
      const members = readAvro(type, bytes.subarray(5));
      if (isOurs(members)) change = members;
    }
    const { value } = change.aspect as { value: string };
    const text = Buffer.from(value, 'latin1').toString('utf8');
    expect(parseJson(text)).toEqual({ description });
    return change;
  };

  it.each(Object.keys(EMITTERS))(
    'write Avro as %s does, with the schema registry and the token of the catalog alone',
    async (emitter) => {
      const schema = EMITTERS[emitter] ?? '';
      const subject = `${catalog.prefix}in-value`;
      const registered = await call(
        `/schema-registry/api/subjects/${subject}/versions?normalize=False`,
        registration(schema),
      );
      expect([registered.status, registered.headers.get('content-type')]).toEqual([
        200,
        'application/vnd.schemaregistry.v1+json',
      ]);
      const { id } = (await registered.json()) as { id: number };
      const urn = urnOf(emitter.replaceAll(/[ .]/g, '_'));
      const { entityType, aspectName } = proposal(urn, '');
      const record = avroRecord(schema, id, {
        entityType,
        entityUrn: urn,
        aspectName,
        changeType: 'UPSERT',
        aspect: {
          value: Buffer.from(`{"description":"by ${emitter} — 日本"}`),
          contentType: 'application/json',
        },
        systemMetadata: { lastObserved: 1_795_261_745_418, runId: 'kafka-run' },
      });
      await produce(urn, record);
      await until(async () => (await read(urn)) === `by ${emitter} — 日本`, LIMIT_MS);
      expect(await published(urn, `by ${emitter} — 日本`)).toMatchObject({
        changeType: 'UPSERT',
        systemMetadata: { runId: 'kafka-run', lastObserved: 1_795_261_745_418 },
      });
    },
    2 * LIMIT_MS,
  );

  it('are rejected a schema that is none of ours, and one without the token', async () => {
    const target = '/schema-registry/api/subjects/MetadataChangeEvent_v4-value/versions';
    const event = { type: 'record', name: 'MetadataChangeEvent', namespace: 'com.linkedin.mxe', fields: [] };
    const body = JSON.stringify({ schema: JSON.stringify(event) });
    const foreign = await call(target, { method: 'POST', body });
    expect([foreign.status, await foreign.json()]).toEqual([
      422,
      { error_code: 42201, message: expect.stringContaining('com.linkedin.mxe.MetadataChangeEvent') },
    ]);
    const stranger = await fetch(catalog.url + target, { method: 'POST', body });
    expect([stranger.status, await stranger.json()]).toMatchObject([401, { error_code: 401 }]);
  });

  it.each([
    [15, 'HTTP'],
    [15, 'Kafka'],
  ])(
    'may propose %d MB over %s: read back whole, searched and published',
    async (megabytes, way) => {
      const name = `big${String(megabytes)}${way}`;
      const urn = urnOf(name);
      const description = sized(megabytes * MEGABYTE);
      if (way === 'Kafka') await produce(urn, JSON.stringify(proposal(urn, description)));
      else expect((await write(urn, description)).status).toBe(200);
      await until(async () => (await read(urn)) === description, LIMIT_MS);
      const again = await write(urn, description);
      expect(await found(name, again.headers.get('x-stratalog-position') ?? '')).toEqual([urn]);
      await published(urn, description);
    },
    3 * LIMIT_MS,
  );

  it('are told in the shape of every error that a body is too large', async () => {
    const answer = await write(urnOf('huge'), sized(17 * MEGABYTE));
    expect([answer.status, await answer.json()]).toMatchObject([
      413,
      {
        status: 413,
        message: 'The body of the request is larger than the limit of this call, which is 16777216 bytes',
      },
    ]);
  });

  it(
    'find dead letters, however large they are, and wait for none',
    async () => {
      const [small, large] = ['no proposal', 'x'.repeat(30 * MEGABYTE)];
      await produce('a', small);
      await produce('a', large);
      await produce(urnOf('behind'), JSON.stringify(proposal(urnOf('behind'), 'behind')));
      await until(async () => (await read(urnOf('behind'))) === 'behind', LIMIT_MS);
      const deadLetters = await toMessages('FailedMetadataChangeProposal_v1', ({ value }) =>
        (value ?? '').includes('omitted'),
      );
      const members = deadLetters.map(({ value }) => JSON.parse((value ?? '').toString()) as JsonObject);
      expect(members).toEqual([
        {
          topic: `${catalog.prefix}in`,
          partition: expect.any(Number),
          offset: expect.any(Number),
          error: expect.stringContaining('The record is no proposal'),
          bytes: Buffer.from(small).toString('base64'),
        },
        expect.objectContaining({ omitted: true, error: expect.any(String) }),
      ]);
    },
    3 * LIMIT_MS,
  );

  it(
    'find a batch that grows beyond the limit as one dead letter, and wait for none',
    async () => {
      const urn = urnOf('bomb');
      const half = ' '.repeat(21 * MEGABYTE);
      await catalog.produceCompressed('in', urn, half, half);
      await catalog.produceCompressed('in', urn, JSON.stringify(proposal(urn, 'behind')));
      await until(async () => (await read(urn)) === 'behind', LIMIT_MS);
      const isBomb = ({ value }: KafkaMessage): boolean => (value ?? '').includes('batch cannot be read');
      const deadLetters = await catalog.read('FailedMetadataChangeProposal_v1', 'reader-of-bomb', isBomb);
      expect(deadLetters.filter(isBomb)).toHaveLength(1);
    },
    2 * LIMIT_MS,
  );

  it(
    'find proposals with a NUL in their names as dead letters, and wait for none',
    async () => {
      const urn = urnOf('nul');
      const good = proposal(urn, 'good');
      const { aspect } = good;
      const bad: readonly (readonly [reason: string, members: JsonObject])[] = [
        ['Invalid urn urn:li:dataset:', { entityUrn: `${urn}\u0000` }],
        ['entity type does not match', { entityType: 'dataset\u0000' }],
        ['Unknown aspect datasetProperties', { aspectName: 'datasetProperties\u0000' }],
        ['changeType', { changeType: 'UPSERT\u0000' }],
        ['runId', { systemMetadata: { runId: 'a\u0000b' } }],
        ['contentType', { aspect: { ...(aspect as JsonObject), contentType: 'application/json\u0000' } }],
        ['If-Version-Match', { headers: { 'If-Version-Match': '1\u0000' } }],
      ];
      const sent = bad.map(([reason, members]) =>
        JSON.stringify({ ...good, aspect: proposal(urn, reason).aspect, ...members }),
      );
      // The content of a value is text like any other.
      await catalog.produce('in', urn, ...sent, JSON.stringify(proposal(urn, 'a\u0000b')));
      await until(async () => (await read(urn)) === 'a\u0000b', LIMIT_MS);
      const deadLetters = await catalog.read(
        'FailedMetadataChangeProposal_v1',
        'reader-of-nul',
        ({ value }) => (value ?? '').includes('If-Version-Match'),
      );
      const reasons = deadLetters.map(
        ({ value }) => (JSON.parse((value ?? '').toString()) as JsonObject).error,
      );
      expect(reasons).toEqual(expect.arrayContaining(bad.map(([reason]) => expect.stringContaining(reason))));
    },
    2 * LIMIT_MS,
  );
});
