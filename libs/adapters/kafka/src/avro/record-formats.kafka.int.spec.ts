import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PROPOSAL_SCHEMA } from '@stratalog/avro';
import {
  PostgresChangeRelayStore,
  PostgresSchemaStore,
  type PostgresAspectStore,
} from '@stratalog/adapters-postgres';
import { partitionOf, type ChangeKey, type Proposal } from '@stratalog/domain';
import type { Subscription, SchemaRegistry } from '@stratalog/ports';
import { applyTo, datasetUrn, plainBatch, timeseriesBatch, toRange, until } from '@stratalog/testkit';
import avro from 'avsc';
import kafkajs from 'kafkajs';
import { avroChanges, AvroReader } from './avro-records';
import { KafkaChangeLog } from '../change-log/change-log';
import { ChangeRelay } from '../change-log/change-relay';
import { HttpSchemaRegistry } from './http-schema-registry';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';
import { OwnSchemaRegistry } from './own-schema-registry';
import { KafkaProposalLog } from '../proposal-log/proposal-log';

/** Serves the part of a schema registry that producers and consumers call, over HTTP. */
class SmallRegistry {
  readonly schemas: string[] = [];
  /** Answers every call with this status, as a gateway does. */
  rejectsWith: number | undefined;
  private server: Server | undefined;

  async start(): Promise<HttpSchemaRegistry> {
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.on('end', () => {
        const { status, answer } = this.answer(request.url ?? '', body);
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new HttpSchemaRegistry({
      url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    });
  }

  close(): Promise<void> {
    this.server?.closeAllConnections();
    return new Promise((resolve) =>
      this.server?.close(() => {
        resolve();
      }),
    );
  }

  private answer(url: string, body: string): { status: number; answer: object } {
    const { rejectsWith: status } = this;
    if (status !== undefined) return { status, answer: { error_code: status, message: 'not now' } };
    if (url.startsWith('/subjects/')) {
      const { schema } = JSON.parse(body) as { schema: string };
      return { status: 200, answer: { id: this.schemas.push(schema) } };
    }
    const schema = this.schemas[Number(url.split('/').at(-1)) - 1];
    return schema === undefined
      ? { status: 404, answer: { error_code: 40403, message: 'Schema not found' } }
      : { status: 200, answer: { schema } };
  }
}

describe('Records', () => {
  let fixture: KafkaFixture;
  let store: PostgresAspectStore;
  let cluster: KafkaCluster;
  let registry: SmallRegistry;
  let client: HttpSchemaRegistry;
  let applied: Proposal[];
  let rejected: string[];

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store();
    cluster = await fixture.cluster();
    registry = fixture.closing(new SmallRegistry());
    client = await registry.start();
    applied = [];
    rejected = [];
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const consume = async (from: SchemaRegistry = client): Promise<Subscription> => {
    const options = { offsets: fixture.offsets, maxRecords: 100, registry: from };
    const log = fixture.closing(new KafkaProposalLog(cluster, options));
    const apply = applyTo(store, (proposal) => applied.push(proposal));
    const subscription = log.consume((batch) => {
      for (const { content } of batch.records)
        if (content.kind === 'undecodable') rejected.push(content.reason);
      return apply(batch);
    });
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    return subscription;
  };
  const produce = async (urn: string, values: readonly (Buffer | string)[]): Promise<void> => {
    const producer = cluster.client.producer({ idempotent: true });
    await producer.connect();
    const partition = partitionOf(urn, PARTITIONS);
    const messages = values.map((value) => ({ key: urn, partition, value }));
    await producer.send({ topic: cluster.topics.proposals, messages });
    await producer.disconnect();
  };
  const membersOf = async (bytes: Buffer | null | undefined) =>
    (await new AvroReader(client).open(bytes ?? Buffer.alloc(0)))();
  const wire = (id: number, body: Buffer): Buffer => {
    const header = Buffer.alloc(5);
    header.writeUInt32BE(id, 1);
    return Buffer.concat([header, body]);
  };
  const avroProposal = (id: number, urn: string, value: string): Buffer => {
    const type = avro.Type.forSchema(JSON.parse(PROPOSAL_SCHEMA) as avro.Schema, { wrapUnions: 'auto' });
    const body = type.toBuffer({
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'datasetProperties',
      aspect: { value: Buffer.from(value), contentType: 'application/json' },
      systemMetadata: { lastObserved: 1_795_261_745_418, runId: 'kafka-run', lastRunId: null },
    });
    return wire(id, body);
  };

  it.each(['gzip', 'snappy', 'lz4', 'zstd'])(
    'are read that the broker has compressed with %s',
    async (codec) => {
      const urn = datasetUrn(codec);
      const admin = await fixture.admin();
      const configEntries = [{ name: 'compression.type', value: codec }];
      const resources = [
        { type: kafkajs.ConfigResourceTypes.TOPIC, name: cluster.topics.proposals, configEntries },
      ];
      await admin.alterConfigs({ validateOnly: false, resources });
      const values = ['small', 'großer Text 日本😀 '.repeat(40_000)].map((description) =>
        JSON.stringify({ description }),
      );
      const records = values.map((value) =>
        JSON.stringify({
          entityType: 'dataset',
          entityUrn: urn,
          changeType: 'UPSERT',
          aspectName: 'datasetProperties',
          aspect: { value, contentType: 'application/json' },
        }),
      );
      await produce(urn, records);
      await consume();
      await until(() => applied.length === 2);
      expect(applied.map(({ value }) => value)).toEqual(values);
    },
  );

  it('records in Avro are decoded with the schema that they name', async () => {
    const urn = datasetUrn('avro');
    const value = '{"description":"em — dash, Ã©, 日本"}';
    const id = await client.register('p-value', PROPOSAL_SCHEMA);
    await produce(urn, [avroProposal(id, urn, value)]);
    await consume();
    await until(() => applied.length === 1);
    expect(applied[0]).toEqual({
      entityType: 'dataset',
      urn,
      aspectName: 'datasetProperties',
      changeType: 'UPSERT',
      value,
      systemMetadata: { lastObserved: 1_795_261_745_418, runId: 'kafka-run' },
      actor: 'urn:li:corpuser:UNKNOWN',
    });
  });

  it('records in Avro are rejected when no schema decodes them, and later ones are applied', async () => {
    const urn = datasetUrn('odd');
    const id = await client.register('p-value', PROPOSAL_SCHEMA);
    const other = await client.register('text-value', '"string"');
    await produce(urn, [
      wire(999, Buffer.from('x')),
      wire(2 ** 31, Buffer.from('x')),
      wire(id, Buffer.from('x')),
      wire(other, Buffer.from([2, 0x61])),
      avroProposal(id, urn, '{}'),
    ]);
    await consume();
    await until(() => applied.length === 1);
    expect(rejected).toEqual([
      'Schema 999 of the record: The schema registry has no schema 999',
      'The record names no schema: 2147483648 is no id',
      expect.stringContaining(`The record is not what its schema ${String(id)} says`),
      `Schema ${String(other)} is not that of a record`,
    ]);
  });

  it.each([503, 429, 400])('records in Avro wait while the registry answers %d', async (status) => {
    const urn = datasetUrn('waits');
    const id = await client.register('p-value', PROPOSAL_SCHEMA);
    registry.rejectsWith = status;
    await produce(urn, [avroProposal(id, urn, '{}')]);
    const subscription = await consume();
    await until(() => subscription.status().state === 'retrying');
    expect(subscription.status()).toMatchObject({ reason: expect.stringContaining('schema registry') });
    registry.rejectsWith = undefined;
    await until(() => applied.length === 1);
    await until(() => subscription.status().state === 'running');
    expect(rejected).toEqual([]);
  });

  it('records in Avro are decoded with schemas that the catalog stores, and a false length blocks no others', async () => {
    const own = new OwnSchemaRegistry(new PostgresSchemaStore(fixture.database));
    const id = await own.register('p-value', PROPOSAL_SCHEMA);
    const urn = datasetUrn('own');
    const whole = avroProposal(id, urn, '{"description":"kept"}');
    // The last member is the map of headers; this one claims 2^40 entries.
    const endless = Buffer.concat([
      whole.subarray(0, -1),
      Buffer.from([2, 0x80, 0x80, 0x80, 0x80, 0x80, 0x40, 2, 0x61]),
    ]);
    await produce(urn, [wire(1, Buffer.from('x')), endless, whole]);
    await consume(own);
    await until(() => applied.length === 1);
    expect(applied).toEqual([expect.objectContaining({ urn, value: '{"description":"kept"}' })]);
    expect(rejected).toEqual([
      'Schema 1 of the record: the catalog has no such schema',
      expect.stringContaining('a list is longer than the record'),
    ]);
  });

  /** Starts a relay that publishes in Avro. */
  const startRelay = async (): Promise<PostgresChangeRelayStore> => {
    const relayStore = new PostgresChangeRelayStore(fixture.database, PARTITIONS, fixture.changes);
    const encode = avroChanges(client, cluster.topics.changes);
    const encodings = {
      encode,
      encodeTimeseriesValue: avroChanges(client, cluster.topics.timeseriesChanges),
    };
    const relay = new ChangeRelay(cluster, { store: relayStore, identity: () => store.identity, encodings });
    fixture.closing({ close: () => relay.stop() });
    await relay.start();
    return relayStore;
  };

  it('records of the timeseries topic can be Avro, and name the deleted range', async () => {
    const urn = datasetUrn('measured');
    const aspectName = 'datasetProfile';
    const ref = { urn, aspectName };
    const { partition } = toRange(urn, PARTITIONS, 0);
    const timeseriesValues = [5, 6].map((timestampMs) => ({
      ...ref,
      timestampMs,
      valueKey: 'k',
      value: '{}',
    }));
    await store.commit(timeseriesBatch([toRange(urn, PARTITIONS, 0)], timeseriesValues));
    await store.commit({
      ranges: [toRange(urn, PARTITIONS, 1)],
      reads: [ref],
      decide: (snapshot) => {
        const plain = plainBatch([], [{ ...ref, value: '' }]).decide(snapshot);
        const changes = plain.changes.map(({ seq, version, systemMetadata, created }) => {
          const kind = 'delete' as const;
          return { ...ref, partition, seq, kind, version, systemMetadata, created };
        });
        const within = { startMs: 1, endMs: 5 };
        const timeseriesDeletions = changes.map(({ seq }) => ({
          ...ref,
          within,
          partition,
          seq,
          unstored: 0,
        }));
        return { ...plain, changes, timeseriesDeletions };
      },
    });
    await startRelay();
    const topic = cluster.topics.timeseriesChanges;
    // Each transaction ends with a record of its own.
    await until(async () => ((await cluster.readWatermarks(topic)).get(partition)?.high ?? 0) > 2);
    const members: unknown[] = [];
    for (const offset of [0, 1, 2]) {
      const message = await cluster.raw.firstFrom(topic, partition, offset);
      members.push(await membersOf(message?.value));
    }
    const common = { entityUrn: urn, aspectName };
    expect(members).toEqual([
      // One of the two was deleted before it was published.
      expect.objectContaining({ ...common, changeType: 'UPSERT' }),
      expect.objectContaining({ ...common, changeType: 'UPSERT', aspect: expect.anything() }),
      expect.objectContaining({
        ...common,
        changeType: 'DELETE',
        headers: { 'Start-Time-Millis': '1', 'End-Time-Millis': '5' },
      }),
    ]);
  });

  it('records of the change topic can be Avro', async () => {
    const urn = datasetUrn('published');
    const identity = () => store.identity;
    const relayStore = await startRelay();
    const range = toRange(urn, PARTITIONS, 0);
    await store.commit(plainBatch([range], [{ urn, aspectName: 'status', value: '{"removed":true}' }]));
    const { partition } = range;
    await until(
      async () => ((await cluster.readWatermarks(cluster.topics.changes)).get(partition)?.high ?? 0) > 0,
    );
    const message = await cluster.raw.firstFrom(cluster.topics.changes, partition, 0);
    const members = await membersOf(message?.value);
    expect(members).toMatchObject({
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'status',
      aspect: { value: '{"removed":true}', contentType: 'application/json' },
      systemMetadata: { runId: 'run-1' },
      created: { actor: 'urn:li:corpuser:tester' },
    });

    const seen: ChangeKey[] = [];
    const changes = new KafkaChangeLog(cluster, { identity, published: () => relayStore.published() });
    const subscription = changes.consume(
      { name: 'test', after: () => Promise.resolve(new Map()), maxRecords: 10 },
      ({ records }) => {
        seen.push(...records.flatMap(({ content }) => (content.kind === 'decoded' ? [content.value] : [])));
        return Promise.resolve({ kind: 'done', results: [] });
      },
    );
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    await until(() => seen.length === 1);
    expect(seen).toEqual([{ partition, seq: 1, urn, aspectName: 'status', version: 1 }]);
  });
});
