import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@stratalog/testkit';
import { Kafka, logLevel } from 'kafkajs';
import { startOf } from '../../../bootstrap/workspace/only-one.mjs';
import { startKafka, type RunningKafka } from './kafka';

const START_LIMIT_MS = limitMs(180_000);
const TOPIC = 'kept';

function createClient({ brokers }: Pick<RunningKafka, 'brokers'>): Kafka {
  return new Kafka({ brokers: [...brokers], logLevel: logLevel.NOTHING });
}

async function write(kafka: RunningKafka, values: readonly string[]): Promise<void> {
  const producer = createClient(kafka).producer();
  await producer.connect();
  await producer.send({ topic: TOPIC, messages: values.map((value) => ({ value })) });
  await producer.disconnect();
}

async function read(kafka: RunningKafka, count: number): Promise<readonly string[]> {
  const consumer = createClient(kafka).consumer({ groupId: `reader-${kafka.pid}` });
  const values: string[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic: TOPIC, fromBeginning: true });
  await consumer.run({
    eachMessage: ({ message }) => {
      values.push(message.value?.toString() ?? '');
      return Promise.resolve();
    },
  });
  await until(() => values.length >= count);
  await consumer.disconnect();
  return values;
}

describe('the broker of a test run', () => {
  it('answers', async () => {
    const brokers = (process.env.STRATALOG_TEST_KAFKA_BROKERS ?? '').split(',');
    const admin = createClient({ brokers }).admin();
    await admin.connect();
    expect((await admin.describeCluster()).brokers).toHaveLength(1);
    await admin.disconnect();
  });
});

describe('a broker with its data in a folder', () => {
  const dataDir = mkdtempSync(join(tmpdir(), `stratalog-test-${process.pid}-kafka-`));
  let kafka: RunningKafka;
  beforeAll(async () => {
    kafka = await startKafka({ dataDir });
    const admin = createClient(kafka).admin();
    await admin.connect();
    await admin.createTopics({ topics: [{ topic: TOPIC, numPartitions: 1 }] });
    await admin.disconnect();
  }, START_LIMIT_MS);
  afterAll(async () => {
    await kafka.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }, START_LIMIT_MS);

  it(
    'keeps acknowledged records and its address over kill -9',
    async () => {
      const [address, pid] = [kafka.brokers, kafka.pid];
      await write(kafka, ['before']);
      await kafka.kill();
      expect(startOf(pid)).toBeUndefined();
      await kafka.restart();
      expect(kafka.pid).not.toBe(pid);
      expect(kafka.brokers).toEqual(address);
      await write(kafka, ['after']);
      expect(await read(kafka, 2)).toEqual(['before', 'after']);
    },
    START_LIMIT_MS,
  );

  it('rejects a second one on the folder', async () => {
    await expect(startKafka({ dataDir })).rejects.toThrow(`is in use by process ${process.pid}`);
  });

  it(
    'notifies its listener when it ends by itself, and only then',
    async () => {
      const reasons: string[] = [];
      kafka.onExit((reason) => reasons.push(reason));
      await kafka.kill();
      await kafka.restart();
      expect(reasons).toEqual([]);
      process.kill(kafka.pid, 'SIGKILL');
      await until(() => reasons.length > 0);
      expect(reasons).toEqual(['signal SIGKILL']);
      await kafka.restart();
    },
    START_LIMIT_MS,
  );

  it(
    'is found again by a later start, at another address if need be',
    async () => {
      const { pid } = kafka;
      await kafka.stop();
      expect(startOf(pid)).toBeUndefined();
      rmSync(join(dataDir, 'kafka', 'ports.json'));
      kafka = await startKafka({ dataDir });
      expect(await read(kafka, 2)).toEqual(['before', 'after']);
    },
    START_LIMIT_MS,
  );
});
