import { randomBytes } from 'node:crypto';
import { waitFor } from '@stratalog/harness';
import type { Addresses } from '@stratalog/local-stack';
import { Kafka, logLevel } from 'kafkajs';
import { toRecord } from './proposal-producer';
import type { Floor } from '../report/measurement';
import type { Report } from '../report/report';
import { NEW_SHARE } from '../ingest/ingest-sizes';
import { WriteWorkload } from '../workload/write-workload';

const PARTITIONS = 16;
const RECORDS_PER_REQUEST = 64;
const DOCUMENTS_PER_REQUEST = 500;
const SEED = 1;
const CONSUME_LIMIT_MS = 600_000;

/**
 * Measures the client alone: records produced, acknowledged, and read back by a consumer of the same process.
 */
export async function kafkaFloor(report: Report, servers: Addresses, seconds: number): Promise<Floor> {
  const what = 'kafkajs produces and consumes, 64 records a request';
  const started = report.begin(`floor: ${what}`);
  const kafka = new Kafka({ brokers: servers.KAFKA_BROKERS.split(','), logLevel: logLevel.ERROR });
  const topic = `floor-${randomBytes(4).toString('hex')}`;
  const admin = kafka.admin();
  await admin.connect();
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, numPartitions: PARTITIONS }] });
  const producer = kafka.producer({ idempotent: true });
  const consumer = kafka.consumer({ groupId: topic, maxWaitTimeInMs: 100 });
  let consumed = 0;
  let produced = 0;
  try {
    await producer.connect();
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    const joined = new Promise((resolve) => consumer.on(consumer.events.GROUP_JOIN, resolve));
    await consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: PARTITIONS,
      eachBatch: (payload) => {
        consumed += payload.batch.messages.length;
        payload.resolveOffset(payload.batch.lastOffset());
        return Promise.resolve();
      },
    });
    await joined;
    const workload = new WriteWorkload(SEED);
    const start = performance.now();
    while (performance.now() - start < seconds * 1000) {
      const messages = Array.from({ length: RECORDS_PER_REQUEST }, () => toRecord(workload.next(NEW_SHARE)));
      await producer.send({ topic, messages, acks: -1 });
      produced += messages.length;
    }
    await waitFor(() => consumed >= produced, {
      what: 'the consumer of the floor',
      limitMs: CONSUME_LIMIT_MS,
      pollMs: 5,
    });
    const took = (performance.now() - start) / 1000;
    const sizes = { unit: 'records', records: produced, partitions: PARTITIONS };
    report.add(started, { case: 'floor of Kafka', sizes, seconds: took, rate: produced / took });
    return { what, rate: produced / took };
  } finally {
    await Promise.all([producer.disconnect(), consumer.disconnect()]);
    await admin.deleteTopics({ topics: [topic] }).catch(() => undefined);
    await admin.disconnect();
  }
}

/**
 * Measures the engine alone: new documents in bulk, one request after another, made searchable at the end.
 */
export async function engineFloor(report: Report, servers: Addresses, seconds: number): Promise<Floor> {
  const what = 'bulk index, 500 documents a request, fields as the engine maps them by itself';
  const started = report.begin(`floor: ${what}`);
  const index = `${servers.ELASTICSEARCH_URL}/floor-${randomBytes(4).toString('hex')}`;
  const workload = new WriteWorkload(SEED);
  let documents = 0;
  await send('PUT', index);
  const start = performance.now();
  try {
    while (performance.now() - start < seconds * 1000) {
      const lines = Array.from(
        { length: DOCUMENTS_PER_REQUEST },
        () => `{"index":{}}\n${workload.newEntity().value}\n`,
      );
      await send('POST', `${index}/_bulk`, lines.join(''));
      documents += lines.length;
    }
    await send('POST', `${index}/_refresh`);
    const took = (performance.now() - start) / 1000;
    const sizes = { unit: 'documents', documents };
    report.add(started, { case: 'floor of the engine', sizes, seconds: took, rate: documents / took });
    return { what, rate: documents / took };
  } finally {
    await send('DELETE', index);
  }
}

async function send(method: string, url: string, body?: string): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' };
  const answer = await fetch(url, { method, ...(body === undefined ? {} : { body, headers }) });
  const text = await answer.text();
  if (!answer.ok || text.includes('"errors":true'))
    throw new Error(`The engine rejects: ${text.slice(0, 500)}`);
}
