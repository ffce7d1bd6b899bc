import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PostgresChangeRelayStore, type PostgresAspectStore } from '@stratalog/adapters-postgres';
import type { ChangeKey } from '@stratalog/domain';
import type { Subscription } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange, until } from '@stratalog/testkit';
import { KafkaChangeLog } from './change-log';
import { JSON_ENCODINGS, toChangeMessages } from './change-record-message';
import kafkajs from 'kafkajs';
import { ChangeRelay, relayId } from './change-relay';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { MAX_VALUE_BYTES } from '../cluster/message-size';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';
import { TransactionalPublisher } from '../producer/transactional-publisher';

const LEASE_MS = 2_000;

describe('The relay', () => {
  let fixture: KafkaFixture;
  let store: PostgresAspectStore;
  let cluster: KafkaCluster;
  let relayStore: PostgresChangeRelayStore;
  let seen: ChangeKey[];

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store();
    cluster = await fixture.cluster();
    relayStore = new PostgresChangeRelayStore(fixture.database, PARTITIONS, fixture.changes);
    seen = [];
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const startRelay = async (): Promise<ChangeRelay> => {
    const timing = { leaseMs: LEASE_MS };
    const relay = new ChangeRelay(cluster, { store: relayStore, identity: () => store.identity, timing });
    fixture.closing({ close: () => relay.stop() });
    await relay.start();
    return relay;
  };
  const write = async (urn: string, value = '{}'): Promise<void> => {
    const range = toRange(urn, PARTITIONS, 0);
    const from = (await store.readPartitionSequences()).get(range.partition) ?? 0;
    const ranges = [{ ...range, from, to: from + 1 }];
    await store.commit(plainBatch(ranges, [{ urn, aspectName: 'status', value }]));
  };
  const consume = async (after = new Map<number, number>()): Promise<Subscription> => {
    const log = new KafkaChangeLog(cluster, {
      identity: () => store.identity,
      published: () => relayStore.published(),
      timing: { auditMs: 200 },
    });
    const subscription = log.consume(
      { name: 'test', after: () => Promise.resolve(after), maxRecords: 50 },
      (batch) => {
        for (const { content } of batch.records) if (content.kind === 'decoded') seen.push(content.value);
        return Promise.resolve({ kind: 'done', results: [] });
      },
    );
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    return subscription;
  };
  const urns = Array.from({ length: 40 }, (_, at) => datasetUrn(`r${String(at)}`));
  const expectEachOnce = async (): Promise<void> => {
    for (const [partition, last] of await store.readPartitionSequences()) {
      const own = seen.filter((key) => key.partition === partition).map(({ seq }) => seq);
      expect(own).toEqual(Array.from({ length: last }, (_, at) => at + 1));
    }
  };

  it('publishes a change without its value when the topic takes less, also when that was changed meanwhile', async () => {
    const [large = '', later = ''] = urns;
    const value = JSON.stringify({ text: 'x'.repeat(300_000) });
    const limit = async (bytes: number): Promise<void> => {
      const admin = await fixture.admin();
      const configEntries = [{ name: 'max.message.bytes', value: String(bytes) }];
      const name = cluster.topics.changes;
      const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name, configEntries }];
      await admin.alterConfigs({ validateOnly: false, resources });
    };
    const relay = await startRelay();
    await until(() => relay.partitions.length === PARTITIONS);
    await limit(100_000);
    await write(large, value);
    for (const urn of urns.slice(2)) await write(urn, JSON.stringify({ text: 'y'.repeat(10_000) }));
    await write(later);
    await consume();
    await until(() => seen.length === urns.length);
    await expectEachOnce();
    const { partition } = toRange(large, PARTITIONS, 0);
    const message = await cluster.raw.firstFrom(cluster.topics.changes, partition, 0);
    expect(message?.headers?.['stratalog-value']?.toString()).toBe('omitted');
    expect(relay.status()).toEqual({ state: 'running' });
  });

  it('divides the partitions among its processes, and continues when one ends', async () => {
    const first = await startRelay();
    await until(() => first.partitions.length === PARTITIONS);
    const second = await startRelay();
    await until(() => first.partitions.length === 2 && second.partitions.length === 2);
    for (const urn of urns) await write(urn);
    await first.stop();
    for (const urn of urns) await write(urn);
    await consume();
    await until(() => seen.length === 2 * urns.length);
    await expectEachOnce();
    await until(() => second.partitions.length === PARTITIONS);
  });

  it('publishes nothing after its leases expired and its partitions went to another', async () => {
    const urn = datasetUrn('fenced');
    const { partition } = toRange(urn, PARTITIONS, 0);
    const id = relayId(cluster.prefix, 'silent');
    const silent = await TransactionalPublisher.open(cluster.client, id);
    fixture.closing(silent);
    const { leases } = await relayStore.lease('silent', 1);
    expect(leases).toHaveLength(PARTITIONS);
    await write(urn);
    const [change] = await relayStore.readChanges(new Map([[partition, 0]]), 1);
    if (change === undefined) throw new Error('the change is missing');
    const { change: message } = await toChangeMessages(change, store.identity, JSON_ENCODINGS);
    const toPublish = { topic: cluster.topics.changes, message };
    await silent.publish([toPublish], MAX_VALUE_BYTES);
    const relay = await startRelay();
    await until(() => relay.partitions.length === PARTITIONS);
    await write(urn);
    await consume();
    await until(() => seen.length === 2);
    await expect(silent.publish([toPublish], MAX_VALUE_BYTES)).rejects.toMatchObject({
      type: expect.stringMatching(/INVALID_PRODUCER_EPOCH|PRODUCER_FENCED/),
    });
    await expectEachOnce();
  });

  it('lists an owner to fence until it is fenced', async () => {
    await relayStore.lease('silent', 1);
    await until(async () => (await relayStore.lease('next', LEASE_MS)).leases.length === PARTITIONS);
    expect((await relayStore.lease('next', LEASE_MS)).unfenced).toEqual(['silent']);
    await relayStore.fenced('silent');
    expect((await relayStore.lease('next', LEASE_MS)).unfenced).toEqual([]);
  });

  it('restarts when it was fenced itself', async () => {
    const urn = datasetUrn('again');
    const relay = await startRelay();
    await write(urn);
    await consume();
    await until(() => seen.length === 1);
    const { rows } = await fixture.database.use((client) =>
      client.query<{ owner: string }>('select owner from relay_process'),
    );
    const id = relayId(cluster.prefix, rows[0]?.owner ?? '');
    fixture.closing(await TransactionalPublisher.open(cluster.client, id));
    await write(urn);
    await until(() => seen.length === 2);
    await until(() => relay.status().state === 'running');
    await expectEachOnce();
  });

  it('may publish changes twice after a crash, which readers drop', async () => {
    const relay = await startRelay();
    for (const urn of urns) await write(urn);
    await until(
      async () => [...(await relayStore.published()).values()].reduce((a, b) => a + b, 0) === urns.length,
    );
    await relay.stop();
    // Simulates a process that ends between Kafka's commit and the move of the lease.
    await fixture.database.use((client) => client.query('update relay_lease set published = published / 2'));
    await startRelay();
    await consume();
    for (const urn of urns) await write(urn);
    await until(() => seen.length >= 2 * urns.length);
    await expectEachOnce();
  });

  it('publishes a change without its value when it exceeds the topic limit', async () => {
    await startRelay();
    const urn = datasetUrn('huge');
    const { partition } = toRange(urn, PARTITIONS, 0);
    await write(urn, JSON.stringify({ text: 'x'.repeat(33 * 1024 * 1024) }));
    await until(
      async () => ((await cluster.readWatermarks(cluster.topics.changes)).get(partition)?.high ?? 0) > 0,
    );
    const message = await cluster.raw.firstFrom(cluster.topics.changes, partition, 0);
    expect(message?.headers?.['stratalog-value']?.toString()).toBe('omitted');
    expect(JSON.parse(message?.value?.toString() ?? '')).toMatchObject({
      entityUrn: urn,
      aspectName: 'status',
    });
  });

  it('stops a reader when the topic lost a change that it needs', async () => {
    await startRelay();
    const urn = datasetUrn('lost');
    const { partition } = toRange(urn, PARTITIONS, 0);
    for (let n = 0; n < 3; n++) await write(urn);
    await until(async () => (await relayStore.published()).get(partition) === 3);
    const topic = cluster.topics.changes;
    const high = (await cluster.readWatermarks(topic)).get(partition)?.high ?? 0;
    const admin = await fixture.admin();
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: String(high) }] });
    const subscription = await consume(new Map([[partition, 1]]));
    const reports = (reader: Subscription, words: string): Promise<void> =>
      until(() => JSON.stringify(reader.status()).includes(words));
    await reports(subscription, 'does not hold change 2 any more');
    await write(urn);
    await until(async () => (await relayStore.published()).get(partition) === 4);
    await reports(subscription, 'with 4');
    await subscription.stop();
    const late = await consume(new Map([[partition, 1]]));
    await reports(late, 'does not hold change 2 any more and begins with 4');
    expect(seen).toEqual([]);
    await late.stop();
    await consume(new Map([[partition, 3]]));
    await until(() => seen.length > 0);
    expect(seen.map(({ seq }) => seq)).toEqual([4]);
  });

  it('is read past a transaction that never ends', async () => {
    const urn = datasetUrn('left-open');
    const { partition } = toRange(urn, PARTITIONS, 0);
    await write(urn);
    const [change] = await relayStore.readChanges(new Map([[partition, 0]]), 1);
    if (change === undefined) throw new Error('the change is missing');
    const { change: message } = await toChangeMessages(change, store.identity, JSON_ENCODINGS);
    const producer = cluster.client.producer({
      transactionalId: `${cluster.prefix}left-open`,
      idempotent: true,
      maxInFlightRequests: 1,
    });
    await producer.connect();
    fixture.closing({ close: () => producer.disconnect() });
    const transaction = await producer.transaction();
    await transaction.send({ topic: cluster.topics.changes, messages: [message] });
    await startRelay();
    await write(urn);
    await consume();
    await until(() => seen.length === 2);
    // Long enough for several audits of the reader, which must not make it start over.
    const end = performance.now() + 1_000;
    await until(async () => {
      await write(urn);
      return performance.now() > end;
    });
    await until(async () => seen.length >= ((await store.readPartitionSequences()).get(partition) ?? 0));
    await transaction.abort();
    await expectEachOnce();
  });

  it('finds the position of a late reader in a long topic', async () => {
    await startRelay();
    const urn = datasetUrn('long');
    const { partition } = toRange(urn, PARTITIONS, 0);
    const total = 1_200;
    for (let from = 0; from < total; from += 100) {
      const writes = Array.from({ length: 100 }, () => ({ urn, aspectName: 'status', value: '{}' }));
      await store.commit(plainBatch([{ partition, from, to: from + 100 }], writes));
    }
    await until(async () => (await relayStore.published()).get(partition) === total);
    // Near the end, some steps before it, and at the beginning.
    for (const last of [total - 10, total - 500, 0]) {
      const subscription = await consume(new Map([[partition, last]]));
      await until(() => seen.length === total - last);
      const expected = Array.from({ length: total - last }, (_, at) => last + at + 1);
      expect(seen.splice(0).map(({ seq }) => seq)).toEqual(expected);
      await subscription.stop();
    }
  });
});
