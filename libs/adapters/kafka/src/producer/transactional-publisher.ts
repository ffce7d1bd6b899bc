import type { Kafka, Message, Producer, Transaction } from 'kafkajs';

/** Right after a transaction the broker still writes its end, for some milliseconds, and asks the client to retry. */
const RETRY = { initialRetryTime: 5, maxRetryTime: 500, retries: 9 };
/** The broker aborts an open transaction after this time, so that it does not block readers. */
const TRANSACTION_TIMEOUT_MS = 15_000;
/** Maximum bytes per request, unless a single message is larger or the topic takes less. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;
/** Estimated size of the frame and the headers of a message. */
const FRAME_BYTES = 600;

/** A message that names its partition. */
export interface TopicMessage {
  readonly topic: string;
  readonly message: Message;
}

/** Publishes to topics in transactions under one transactional id. After a failure it cannot be used again. */
export class TransactionalPublisher {
  private constructor(private readonly producer: Producer) {}

  /**
   * Opens the id. From then on the broker rejects earlier openers of the id and aborts their open transactions.
   *
   * **Errors**: errors of the client.
   */
  static async open(kafka: Kafka, transactionalId: string): Promise<TransactionalPublisher> {
    const producer = kafka.producer({
      transactionalId,
      idempotent: true,
      maxInFlightRequests: 1,
      transactionTimeout: TRANSACTION_TIMEOUT_MS,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
      retry: RETRY,
    });
    const publisher = new TransactionalPublisher(producer);
    try {
      await producer.connect();
      // The client claims the id with its first transaction; this one is empty.
      await abort(await producer.transaction());
      return publisher;
    } catch (error) {
      await publisher.close();
      throw error;
    }
  }

  /** Resolves when the messages are committed. `maxBatchBytes`: what the topics take at once. */
  async publish(messages: readonly TopicMessage[], maxBatchBytes: number): Promise<void> {
    const transaction = await this.producer.transaction();
    try {
      for (const part of toRequests(messages, Math.min(MAX_REQUEST_BYTES, maxBatchBytes))) {
        await transaction.sendBatch({ topicMessages: byTopic(part), acks: -1 });
      }
      await transaction.commit();
    } catch (error) {
      await abort(transaction);
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.producer.disconnect().catch(() => undefined);
  }
}

/**
 * Splits messages into requests. The messages of one partition in a request form one batch, which the broker limits to
 * the maximum size of a single message.
 */
function toRequests(messages: readonly TopicMessage[], maxBytes: number): TopicMessage[][] {
  const parts: TopicMessage[][] = [];
  let bytes = Infinity;
  for (const each of messages) {
    const { key, value } = each.message;
    const own = FRAME_BYTES + (key?.length ?? 0) + (value?.length ?? 0);
    if (bytes + own > maxBytes) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(each);
    bytes += own;
  }
  return parts;
}

function byTopic(messages: readonly TopicMessage[]): { topic: string; messages: Message[] }[] {
  const topics = new Map<string, Message[]>();
  for (const { topic, message } of messages) {
    const own = topics.get(topic);
    if (own === undefined) topics.set(topic, [message]);
    else own.push(message);
  }
  return [...topics].map(([topic, own]) => ({ topic, messages: own }));
}

/** Ignores failures: the transaction has ended, or belongs to another producer; the broker resolves it. */
async function abort(transaction: Transaction): Promise<void> {
  if (transaction.isActive()) await transaction.abort().catch(() => undefined);
}
