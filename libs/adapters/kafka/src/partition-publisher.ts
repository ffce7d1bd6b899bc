import type { Kafka, Message, Producer, Transaction } from 'kafkajs';

/** Right after a transaction the broker still writes its end, for some milliseconds, and asks us to come again. */
const RETRY = { initialRetryTime: 5, maxRetryTime: 500, retries: 9 };
/** One that does not end by then is aborted by the broker, so that readers are not held up. */
const TRANSACTION_TIMEOUT_MS = 15_000;

/** Writes to a topic under one transactional id, all or nothing. After a failure it is of no more use. */
export class PartitionPublisher {
  private producer: Promise<Producer> | undefined;

  constructor(
    private readonly kafka: Kafka,
    private readonly topic: string,
    private readonly transactionalId: string,
  ) {}

  /** Resolves when the messages are committed; each names its partition. */
  async publish(messages: readonly Message[]): Promise<void> {
    const producer = await (this.producer ??= this.connect());
    const transaction = await producer.transaction();
    try {
      await transaction.send({ topic: this.topic, messages: [...messages], acks: -1 });
      await transaction.commit();
    } catch (error) {
      await abort(transaction);
      throw error;
    }
  }

  async close(): Promise<void> {
    const { producer } = this;
    this.producer = undefined;
    await producer?.then((own) => own.disconnect()).catch(() => undefined);
  }

  private async connect(): Promise<Producer> {
    const producer = this.kafka.producer({
      transactionalId: this.transactionalId,
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
    await producer.connect();
    return producer;
  }
}

/** Fails where the transaction has ended already or is another's; then the broker has seen to it, or will. */
async function abort(transaction: Transaction): Promise<void> {
  if (transaction.isActive()) await transaction.abort().catch(() => undefined);
}
