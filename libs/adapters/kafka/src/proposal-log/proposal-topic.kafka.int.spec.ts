import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  OffsetConflictError,
  UnavailableError,
  partitionOf,
  type Proposal,
  type ProposalEntry,
  type WriteOutcome,
} from '@stratalog/domain';
import type { AspectStore, BatchHandler, Subscription } from '@stratalog/ports';
import { applyTo, datasetUrn, proposalFor, until } from '@stratalog/testkit';
import type { Message } from 'kafkajs';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { KafkaFixture, PARTITIONS } from '../cluster/kafka.fixture';
import { KafkaProposalLog } from './proposal-log';

const TIMING = { auditMs: 200 };

describe('The proposal topic', () => {
  let fixture: KafkaFixture;
  let store: AspectStore;
  let cluster: KafkaCluster;
  let log: KafkaProposalLog;
  let applied: Proposal[];

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store();
    cluster = await fixture.cluster();
    log = openLog();
    applied = [];
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const openLog = (): KafkaProposalLog =>
    fixture.closing(
      new KafkaProposalLog(cluster, {
        offsets: fixture.offsets,
        maxRecords: 100,
        timing: TIMING,
        urnOfKey: (_, key) => JSON.parse(key) as { urn: string },
      }),
    );
  const consume = async (
    handler: BatchHandler<ProposalEntry, WriteOutcome> = applyTo(store, (proposal) => applied.push(proposal)),
  ): Promise<Subscription> => {
    const subscription = openLog().consume(handler);
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    return subscription;
  };
  /** Writes messages as another program, to any partition. */
  const produce = async (messages: readonly Message[]): Promise<void> => {
    const producer = cluster.client.producer({ idempotent: true });
    await producer.connect();
    await producer.send({ topic: cluster.topics.proposals, messages: [...messages] });
    await producer.disconnect();
  };
  const foreign = (urn: string, value = '{"description":"one"}'): Message => ({
    key: urn,
    partition: (partitionOf(urn, PARTITIONS) + 1) % PARTITIONS,
    value: JSON.stringify({
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'datasetProperties',
      aspect: { value, contentType: 'application/json' },
    }),
  });
  const reasonOf = (subscription: Subscription): string => {
    const status = subscription.status();
    return 'reason' in status ? status.reason : '';
  };
  const count = async (): Promise<number> =>
    [...(await store.readPartitionSequences()).values()].reduce((sum, seq) => sum + seq, 0);

  it('is applied completely by each of two stores that share it', async () => {
    const other = await KafkaFixture.create();
    try {
      const stores = [store, await other.store()];
      const seen: string[][] = [[], []];
      for (const [at, { store: own, offsets }] of [
        { store, offsets: fixture.offsets },
        { store: stores[1] ?? store, offsets: other.offsets },
      ].entries()) {
        const { prefix } = cluster;
        const theirs = await fixture.cluster({ prefix, storeId: own.identity.storeId });
        const shared = fixture.closing(
          new KafkaProposalLog(theirs, { offsets, maxRecords: 100, timing: TIMING }),
        );
        const subscription = shared.consume(applyTo(own, ({ urn }) => seen[at]?.push(urn)));
        fixture.closing({ close: () => subscription.stop() });
        await subscription.start();
      }
      const urns = Array.from({ length: 12 }, (_, at) => datasetUrn(`shared${String(at)}`));
      await produce(urns.map((urn) => foreign(urn)));
      await until(() => seen.every((own) => own.length === urns.length));
      for (const own of seen) expect([...own].sort()).toEqual([...urns].sort());
    } finally {
      await fixture.afterEach();
      await other.close();
    }
  });

  it('applies proposals of any producer from any Kafka partition to the partition of the urn', async () => {
    const urns = Array.from({ length: 20 }, (_, at) => datasetUrn(`foreign${String(at)}`));
    await produce(urns.map((urn) => foreign(urn)));
    await consume();
    await until(() => applied.length === urns.length);
    expect(applied.map(({ urn }) => urn).sort()).toEqual([...urns].sort());
    expect(applied[0]).toMatchObject({
      actor: 'urn:li:corpuser:UNKNOWN',
      systemMetadata: { runId: 'no-run-id-provided' },
      value: '{"description":"one"}',
    });
  });

  it('derives the urn of an entity that is named by its key', async () => {
    const urn = datasetUrn('by-key');
    const { entityUrn, ...members } = JSON.parse(String(foreign(urn).value)) as Record<string, unknown>;
    const entityKeyAspect = { value: JSON.stringify({ urn: entityUrn }), contentType: 'application/json' };
    await produce([{ value: JSON.stringify({ ...members, entityKeyAspect }) }]);
    await consume();
    await until(() => applied.length === 1);
    expect(applied[0]?.urn).toBe(urn);
  });

  it('reports whether the catalog has validated a proposal', async () => {
    await log.append([
      proposalFor(datasetUrn('plain')),
      { ...proposalFor(datasetUrn('checked')), checkedBy: 'f'.repeat(64) },
    ]);
    await consume();
    await until(() => applied.length === 2);
    const checkedBy = applied.map(({ urn, checkedBy }) => [urn, checkedBy ?? 'nobody']);
    expect(Object.fromEntries(checkedBy)).toEqual({
      [datasetUrn('plain')]: 'nobody',
      [datasetUrn('checked')]: 'f'.repeat(12),
    });
  });

  it('delivers undecodable records as bytes with the reason, publishes them, and continues', async () => {
    const urn = datasetUrn('poisoned');
    const { partition = 0 } = foreign(urn);
    const delivered: unknown[] = [];
    const apply = applyTo(store);
    await consume(async (batch) => {
      const verdict = await apply(batch);
      if (verdict.kind === 'done') delivered.push(...batch.records.map(({ content }) => content));
      return verdict;
    });
    await produce([
      { key: urn, partition, value: 'not json' },
      { key: urn, partition, value: null },
      { key: urn, partition, value: Buffer.from([0xff, 0xfe]) },
      { key: urn, partition, value: '{"entityType":"dataset"}' },
      foreign(urn),
    ]);
    await until(() => delivered.length === 5);
    expect(delivered.slice(0, 4)).toEqual([
      expect.objectContaining({ kind: 'undecodable', bytes: Buffer.from('not json') }),
      expect.objectContaining({ kind: 'undecodable', reason: 'The record is no proposal: it has no value' }),
      expect.objectContaining({ kind: 'undecodable' }),
      expect.objectContaining({
        reason:
          'The record is no proposal: entityUrn is required; aspectName is required; changeType is required',
      }),
    ]);
    await until(async () => (await store.readEntity(urn)) !== undefined);
    await until(
      async () =>
        ((await cluster.readWatermarks(cluster.topics.failedProposals)).get(partition)?.high ?? 0) >= 4,
    );
    const published = await cluster.raw.firstFrom(cluster.topics.failedProposals, partition, 0);
    expect(JSON.parse(published?.value?.toString() ?? '')).toMatchObject({
      topic: cluster.topics.proposals,
      partition,
      offset: 0,
      bytes: Buffer.from('not json').toString('base64'),
    });
  });

  it('skips the offsets that transactions use, also at the end', async () => {
    const urn = datasetUrn('holes');
    const producer = cluster.client.producer({ transactionalId: `${cluster.prefix}foreign` });
    await producer.connect();
    const messages = [foreign(urn)];
    for (const end of ['commit', 'abort', 'commit', 'abort'] as const) {
      const transaction = await producer.transaction();
      await transaction.send({ topic: cluster.topics.proposals, messages });
      await transaction[end]();
    }
    await producer.disconnect();
    await consume();
    const { partition = 0 } = foreign(urn);
    await until(async () => (await fixture.offsets.read()).get(partition)?.committedOffset === 8);
    expect((await store.readEntity(urn))?.aspects[0]?.version).toBe(2);
  });

  it('carries a proposal of 15 MB, and rejects one that exceeds the topic limit', async () => {
    const urn = datasetUrn('large');
    const value = JSON.stringify({ description: 'x'.repeat(15 * 1024 * 1024) });
    await consume();
    await log.append([proposalFor(urn, { value })]);
    await until(() => applied.length === 1);
    expect(applied[0]?.value === value).toBe(true);
    const tooLarge = proposalFor(urn, { value: JSON.stringify('x'.repeat(33 * 1024 * 1024)) });
    await expect(log.append([tooLarge])).rejects.toMatchObject({ code: 'too-large' });
  });

  it('is shared by several consumers, applies each record once, and continues when one stops', async () => {
    const urns = Array.from({ length: 300 }, (_, at) => datasetUrn(`shared${String(at)}`));
    const first = await consume();
    const appends = urns.map((urn) => log.append([proposalFor(urn)]));
    await consume();
    await Promise.all(appends);
    await first.stop();
    await until(() => applied.length >= urns.length);
    expect(new Set(applied.map(({ urn }) => urn)).size).toBe(urns.length);
    expect(applied).toHaveLength(urns.length);
  });

  it('reads the stored offsets again when another writer has moved them', async () => {
    const urn = datasetUrn('moved');
    let rejections = 1;
    const apply = applyTo(store, (proposal) => applied.push(proposal));
    await log.append([proposalFor(urn)]);
    await consume((batch) =>
      rejections-- > 0
        ? Promise.resolve({ kind: 'retry', cause: new OffsetConflictError('moved') })
        : apply(batch),
    );
    await until(() => applied.length === 1);
    expect(await count()).toBe(1);
  });

  it('stops a partition that lost unapplied records, and reads the others', async () => {
    const urn = datasetUrn('trimmed');
    const partition = partitionOf(urn, PARTITIONS);
    const other = datasetUrn('whole');
    expect(partitionOf(other, PARTITIONS)).not.toBe(partition);
    const first = await consume();
    await log.append([proposalFor(urn)]);
    await until(() => applied.length === 1);
    await first.stop();
    await log.append([proposalFor(urn), proposalFor(urn), proposalFor(urn)]);
    const admin = await fixture.admin();
    const topic = cluster.topics.proposals;
    // The client knows a topic only after a query about it.
    await admin.fetchTopicOffsets(topic);
    await admin.deleteTopicRecords({ topic, partitions: [{ partition, offset: '3' }] });

    const second = await consume();
    await log.append([proposalFor(other)]);
    await until(async () => (await store.readEntity(other)) !== undefined);
    await until(() => second.status().state === 'retrying');
    expect(reasonOf(second)).toContain(
      'the records from offset 1 to 2 were removed before they were applied',
    );
    expect((await store.readEntity(urn))?.aspects[0]?.version).toBe(1);
  });

  it('stops when the topic is created again, instead of starting over', async () => {
    const urn = datasetUrn('created_again');
    const subscription = await consume();
    await log.append([proposalFor(urn), proposalFor(urn)]);
    await until(() => applied.length === 2);
    const admin = await fixture.admin();
    const topic = cluster.topics.proposals;
    await admin.deleteTopics({ topics: [topic] });
    await until(async () => !(await admin.listTopics()).includes(topic));
    await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS }], waitForLeaders: false });
    await until(() => admin.fetchTopicOffsets(topic).then(Boolean, () => false));
    await produce([foreign(urn), foreign(urn), foreign(urn)]);
    await until(() => reasonOf(subscription).includes('it was created again'));
    expect(applied).toHaveLength(2);
  });

  it('is well again after the store was away during an audit, also without new records', async () => {
    const stored = fixture.offsets;
    let isAway = false;
    const offsets = Object.assign(Object.create(stored) as typeof stored, {
      noteEnds: (...args: Parameters<typeof stored.noteEnds>) =>
        isAway ? Promise.reject(new UnavailableError('The store is away')) : stored.noteEnds(...args),
    });
    const own = fixture.closing(new KafkaProposalLog(cluster, { offsets, maxRecords: 100, timing: TIMING }));
    const subscription = own.consume(applyTo(store, (proposal) => applied.push(proposal)));
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
    isAway = true;
    await log.append([proposalFor(datasetUrn('audited'))]);
    await until(() => applied.length === 1 && reasonOf(subscription) === 'The store is away');
    isAway = false;
    await until(() => subscription.status().state === 'running');
  });

  it('rejects a topic with another number of partitions', async () => {
    const { prefix } = cluster;
    await expect(fixture.cluster({ prefix, partitions: PARTITIONS * 2 })).rejects.toMatchObject({
      code: 'invalid-setting',
      message: expect.stringContaining('has 4 partitions, but the store has 8'),
    });
  });

  it('fails when no broker answers', async () => {
    await expect(fixture.cluster({ brokers: ['127.0.0.1:1'] })).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});
