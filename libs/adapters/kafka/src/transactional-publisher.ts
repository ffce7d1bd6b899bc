import type { Kafka, Message, Producer, Transaction } from 'kafkajs';

/** Right after a transaction the broker still writes its end, for some milliseconds, and asks us to come again. */
const RETRY = { initialRetryTime: 5, maxRetryTime: 500, retries: 9 };
/** One that does not end by then is aborted by the broker, so that readers are not held up. */
const TRANSACTION_TIMEOUT_MS = 15_000;
/** Unless a single message is larger. */
const MAX_REQUEST_BYTES = 8 * 1024 * 1024;

/** Writes to a topic under one transactional id, all or nothing. After a failure it is of no more use. */
export class TransactionalPublisher {
  private constructor(
    private readonly producer: Producer,
    private readonly topic: string,
  ) {}

  /**
   * From then on the broker takes nothing any more from those who opened the id before, and what they had begun is aborted.
   *
   * **Errors**: the client's own.
   */
  static async open(kafka: Kafka, topic: string, transactionalId: string): Promise<TransactionalPublisher> {
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
    const publisher = new TransactionalPublisher(producer, topic);
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

  /** Resolves when the messages are committed; each names its partition. */
  async publish(messages: readonly Message[]): Promise<void> {
    const transaction = await this.producer.transaction();
    try {
      for (const part of requestsOf(messages)) {
        await transaction.send({ topic: this.topic, messages: part, acks: -1 });
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
function requestsOf(messages: readonly Message[]): Message[][] {
  const parts: Message[][] = [];
  let bytes = Infinity;
  for (const message of messages) {
    const own = message.value?.length ?? 0;
    if (bytes + own > MAX_REQUEST_BYTES) {
      parts.push([]);
      bytes = 0;
    }
    parts.at(-1)?.push(message);
    bytes += own;
  }
  return parts;
}

/** Fails where the transaction has ended already or is another's; then the broker has seen to it, or will. */
async function abort(transaction: Transaction): Promise<void> {
  if (transaction.isActive()) await transaction.abort().catch(() => undefined);
}
