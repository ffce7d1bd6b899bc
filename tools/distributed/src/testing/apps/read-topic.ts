import { until } from '@stratalog/testkit';
import type { Kafka, KafkaMessage } from 'kafkajs';

const LIMIT_MS = limitMs(60_000);
/** The size of one fetch; the largest records fit. */
const MAX_BYTES = 40_000_000;

/** Reads a topic from its beginning, like any other program, up to the record of `isLast`. */
export async function readTopic(
  kafka: Kafka,
  { topic, groupId }: { readonly topic: string; readonly groupId: string },
  isLast: (message: KafkaMessage) => boolean,
): Promise<readonly KafkaMessage[]> {
  const consumer = kafka.consumer({ groupId, maxBytesPerPartition: MAX_BYTES });
  const messages: KafkaMessage[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: ({ message }) => {
      messages.push(message);
      return Promise.resolve();
    },
  });
  try {
    await until(() => messages.some(isLast), LIMIT_MS);
  } finally {
    await consumer.disconnect();
  }
  return messages;
}
