import type { Kafka, Message, Producer, Transaction } from 'kafkajs';

/** Right after a transaction the broker still writes its end, for some milliseconds, and asks us to come again. */
const RETRY = { initialRetryTime: 5, maxRetryTime: 500, retries: 9 };
/** One that does not end by then is aborted by the broker, so that readers are not held up. */
const TRANSACTION_TIMEOUT_MS = 15_000;
/** Unless a single message is larger. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** A message that names its partition. */
export interface TopicMessage {
  readonly topic: string;
  readonly message: Message;
}

/** Writes to topics under one transactional id, all or nothing. After a failure it is of no more use. */
export class TransactionalPublisher {
  private constructor(private readonly producer: Producer) {}

  /**
   * From then on the broker takes nothing any more from those who opened the id before, and what they had begun is aborted.
   *
   * **Errors**: the client's own.
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

  /** Resolves when the messages are committed. */
  async publish(messages: readonly TopicMessage[]): Promise<void> {
    const transaction = await this.producer.transaction();
    try {
      for (const part of toRequests(messages)) {
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
 * Parts that are small enough to be sent at once: all messages of one partition in a request are one batch to the broker, which takes it
 * up to the same size as a single message.
 */
function toRequests(messages: readonly TopicMessage[]): TopicMessage[][] {
  const parts: TopicMessage[][] = [];
  let bytes = Infinity;
  for (const each of messages) {
    const own = each.message.value?.length ?? 0;
    if (bytes + own > MAX_REQUEST_BYTES) {
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

/** Fails where the transaction has ended already or is another's; then the broker has seen to it, or will. */
async function abort(transaction: Transaction): Promise<void> {
  if (transaction.isActive()) await transaction.abort().catch(() => undefined);
}
