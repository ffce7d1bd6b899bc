import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import type { PostgresAspectStore } from '@stratalog/adapters-postgres';
import { partitionOf, type Proposal } from '@stratalog/domain';
import { applyTo, datasetUrn, until } from '@stratalog/testkit';
import kafkajs from 'kafkajs';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { KafkaFixture, PARTITIONS, newPrefix } from '../cluster/kafka.fixture';
import { KafkaProposalLog } from '../proposal-log/proposal-log';
import { MAX_BATCH_BYTES } from './bounded-output';
import { toLz4Frame } from './lz4-frames.fixture';

const { CompressionCodecs, CompressionTypes } = kafkajs;

/** What a producer makes of the records of a batch. */
type Compress = (bytes: Buffer) => Buffer;

const compressions: Readonly<Record<'gzip' | 'lz4', readonly [keyof typeof CompressionCodecs, Compress]>> = {
  gzip: [CompressionTypes.GZIP, (bytes) => gzipSync(bytes)],
  lz4: [CompressionTypes.LZ4, (bytes) => toLz4Frame(bytes)],
};

describe('A producer', () => {
  let fixture: KafkaFixture;
  let store: PostgresAspectStore;
  let cluster: KafkaCluster;
  let applied: Proposal[];
  let rejected: string[];

  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  beforeEach(async () => {
    store = await fixture.store();
    cluster = await fixture.cluster();
    applied = [];
    rejected = [];
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const consume = async (): Promise<void> => {
    const log = fixture.closing(new KafkaProposalLog(cluster, { offsets: fixture.offsets, maxRecords: 100 }));
    const apply = applyTo(store, (proposal) => applied.push(proposal));
    const subscription = log.consume((batch) => {
      for (const { content } of batch.records)
        if (content.kind === 'undecodable') rejected.push(content.reason);
      return apply(batch);
    });
    fixture.closing({ close: () => subscription.stop() });
    await subscription.start();
  };
  const proposal = (urn: string, description: string): string =>
    JSON.stringify({
      entityType: 'dataset',
      entityUrn: urn,
      changeType: 'UPSERT',
      aspectName: 'datasetProperties',
      aspect: { value: JSON.stringify({ description }), contentType: 'application/json' },
    });
  /** Sends the records of one batch, compressed by a function. */
  const produce = async (
    urn: string,
    values: readonly string[],
    compression?: readonly [keyof typeof CompressionCodecs, Compress],
  ): Promise<void> => {
    const producer = cluster.client.producer({ idempotent: true });
    await producer.connect();
    const messages = values.map((value) => ({ key: urn, partition: partitionOf(urn, PARTITIONS), value }));
    const topic = cluster.topics.proposals;
    if (compression === undefined) await producer.send({ topic, messages });
    else {
      const [type, compress] = compression;
      const codec = CompressionCodecs[type];
      try {
        CompressionCodecs[type] = () => ({
          ...(codec() as object),
          compress: (encoder: { readonly buffer: Buffer }) => Promise.resolve(compress(encoder.buffer)),
        });
        await producer.send({ topic, messages, compression: type });
      } finally {
        CompressionCodecs[type] = codec;
      }
    }
    await producer.disconnect();
  };

  it.each(['gzip', 'lz4'] as const)(
    'a producer whose batch grows beyond the limit with %s gets one dead letter, and delays no other',
    async (name) => {
      const urn = datasetUrn(`bomb-${name}`);
      await produce(urn, [proposal(urn, 'before')]);
      const half = ' '.repeat(MAX_BATCH_BYTES / 2 + 1);
      await produce(urn, [half, half], compressions[name]);
      await produce(urn, [proposal(urn, 'after')]);
      await consume();
      await until(() => applied.length === 2);
      expect(applied.map(({ value }) => value)).toEqual([
        '{"description":"before"}',
        '{"description":"after"}',
      ]);
      expect(rejected).toEqual([
        expect.stringMatching(/^The batch cannot be read: .*(larger than|more than)/),
      ]);
    },
  );

  it('a producer that claims a false size of the content of an lz4 frame is read', async () => {
    const urn = datasetUrn('claims');
    const claiming: Compress = (bytes) => toLz4Frame(bytes, 2n ** 40n);
    await produce(urn, [proposal(urn, 'read')], [CompressionTypes.LZ4, claiming]);
    await produce(urn, [proposal(urn, 'after')]);
    await consume();
    await until(() => applied.length + rejected.length === 2);
    expect(rejected).toEqual([]);
  });

  it('a producer whose batches fill a fetch many times over is read without a gap', async () => {
    const urn = datasetUrn('much');
    for (let at = 0; at < 6; at++)
      await produce(urn, [proposal(urn, `${String(at)} ${'x'.repeat(10_000_000)}`)], compressions.gzip);
    await consume();
    await until(() => applied.length === 6);
    expect(applied.map(({ value = '' }) => value.slice(16, 17))).toEqual(['0', '1', '2', '3', '4', '5']);
  });
});

describe('A topic', () => {
  let fixture: KafkaFixture;
  beforeAll(async () => {
    fixture = await KafkaFixture.create();
  });
  afterEach(() => fixture.afterEach());
  afterAll(() => fixture.close());

  const openWith = async (entries: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const prefix = newPrefix();
    const admin = await fixture.admin();
    const configEntries = Object.entries(entries).map(([name, value]) => ({ name, value }));
    const topic = `${prefix}MetadataChangeProposal_v1`;
    await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS, configEntries }] });
    const warnings: string[] = [];
    await fixture.cluster({ prefix, log: (_level, text) => warnings.push(text) });
    return warnings.filter((text) => text.includes(topic));
  };

  it('a topic that exists and is compacted stops the start', async () => {
    await expect(openWith({ 'cleanup.policy': 'compact' })).rejects.toThrow(
      'has the cleanup.policy compact, by which Kafka removes records that the catalog has not read; set it to delete',
    );
  });

  it('a topic that exists and takes or keeps little raises warnings', async () => {
    expect(await openWith({ 'max.message.bytes': '1000000', 'retention.ms': '60000' })).toEqual([
      expect.stringContaining('takes records of 1000000 bytes (max.message.bytes)'),
      expect.stringContaining('loses records after 60000 ms (retention.ms)'),
    ]);
  });
});
