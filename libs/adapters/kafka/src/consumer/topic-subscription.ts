import type { Subscription, SubscriptionStatus } from '@stratalog/ports';
import { BatchDelivery, type DeliveryOptions } from './batch-delivery';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicReader } from './topic-reader';
import type { ReaderTiming, TopicReaderOptions } from './topic-reader-options';

export interface TopicSubscriptionOptions<T, R> {
  readonly reader: Omit<TopicReaderOptions, 'revoke' | 'room'>;
  readonly delivery: Omit<DeliveryOptions<T, R>, 'onMoved'>;
  readonly timing?: Partial<ReaderTiming> | undefined;
}

const ROOM_WAIT_MS = 500;

/** A reader of a topic and the delivery of what it reads, which start and stop together. */
export class TopicSubscription<T, R> implements Subscription {
  readonly reader: TopicReader;
  private isStarted = false;
  private current: BatchDelivery<T, R>;

  constructor(
    cluster: KafkaCluster,
    private readonly options: TopicSubscriptionOptions<T, R>,
  ) {
    this.current = this.newDelivery();
    this.reader = new TopicReader(
      cluster,
      {
        ...options.reader,
        revoke: (partition) => {
          this.delivery.drop(partition);
        },
        room: () => this.delivery.room(ROOM_WAIT_MS),
      },
      options.timing,
    );
  }

  /** A new one after each start. */
  get delivery(): BatchDelivery<T, R> {
    return this.current;
  }

  async start(): Promise<void> {
    this.isStarted = true;
    this.current = this.newDelivery();
    await this.reader.start();
  }

  async stop(): Promise<void> {
    this.isStarted = false;
    await this.reader.stop();
    await this.delivery.stop();
  }

  status(): SubscriptionStatus {
    if (!this.isStarted) return { state: 'stopped' };
    const reason = this.delivery.trouble ?? this.reader.trouble;
    return reason === undefined ? { state: 'running' } : { state: 'retrying', reason };
  }

  private newDelivery(): BatchDelivery<T, R> {
    return new BatchDelivery({
      ...this.options.delivery,
      onMoved: (partitions) => {
        this.reader.relocate(partitions);
      },
    });
  }
}
