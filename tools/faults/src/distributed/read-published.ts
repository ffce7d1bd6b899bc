import type { KafkaCluster } from '@stratalog/adapters-kafka';
import { until } from '@stratalog/harness';
import { isJsonObject, parseJson } from '@stratalog/json';
import type { KafkaMessage } from 'kafkajs';
import { Violation } from '../ledger/violation';
import type { PublishedChange, PublishedCheck } from './published-check';
import { scaledLimit } from '../scaled-limit';

/** The time limit between two records of the topic. */
const SILENCE_LIMIT_MS = scaledLimit(30_000);
const POLL_MS = 10;

/**
 * Reads the change topic from its beginning with a plain client, as the catalog's own readers do, up to the
 * last change of the store.
 *
 * **Errors**: `Violation` when a change is missing or differs.
 */
export async function readPublished(
  cluster: KafkaCluster,
  check: PublishedCheck,
  signal: AbortSignal,
): Promise<void> {
  const groupId = `${cluster.prefix}faults-${Math.random().toString(36).slice(2)}`;
  const consumer = cluster.client.consumer({ groupId, readUncommitted: true, maxWaitTimeInMs: 100 });
  let failure: Error | undefined;
  let read = 0;
  try {
    await consumer.connect();
    await consumer.subscribe({ topic: cluster.topics.changes, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      eachMessage: ({ partition, message }) => {
        read++;
        try {
          if (failure === undefined) check.publish(changeIn(partition, message));
        } catch (error) {
          failure = error as Error;
        }
        return Promise.resolve();
      },
    });
    for (let before = -1; before < read && !check.isComplete();) {
      before = read;
      const look = (): true | undefined =>
        failure !== undefined || read > before || check.isComplete() ? true : undefined;
      await until(look, { limitMs: SILENCE_LIMIT_MS, pollMs: POLL_MS, signal });
      if (failure !== undefined) throw failure;
    }
  } finally {
    await consumer.disconnect();
  }
  if (check.isComplete()) return;
  const reached = [...check.progress().reached].map(([partition, seq]) => `${partition}:${seq}`).join(' ');
  throw new Violation('published', `the topic does not hold every change; it ends at ${reached}`);
}

function changeIn(partition: number, { key, value, headers }: KafkaMessage): PublishedChange {
  const [own, seq] = (headers?.['stratalog-position']?.toString() ?? '').split(':').map(Number);
  const members = parseJson(value?.toString() ?? '');
  if (own !== partition || seq === undefined || !isJsonObject(members)) {
    throw new Violation('published', `partition ${partition} of the topic holds a record that is no change`);
  }
  const { entityUrn: urn, aspectName: aspect, aspect: content } = members;
  if (typeof urn !== 'string' || typeof aspect !== 'string' || key?.toString() !== urn) {
    throw new Violation('published', `change ${seq} of partition ${partition} names no entity and aspect`);
  }
  const text = isJsonObject(content) ? content.value : undefined;
  const version = Number(headers?.['stratalog-version']?.toString());
  return { partition, seq, urn, aspect, version, value: typeof text === 'string' ? text : '' };
}
