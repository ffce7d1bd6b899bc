import type { Subscription, SubscriptionStatus } from '@stratalog/ports';
import { BatchDelivery, type DeliveryOptions } from './batch-delivery';
import type { KafkaCluster } from '../cluster/kafka-cluster';
import { TopicReader } from './topic-reader';
import type { ReaderTiming, TopicReaderOptions } from './topic-reader-options';

export interface TopicSubscriptionOptions<T, R> {
  readonly reader: Omit<TopicReaderOptions, 'revoke' | 'waitForRoom'>;
  readonly delivery: Omit<DeliveryOptions<T, R>, 'onOffsetConflict'>;
  readonly timing?: Partial<ReaderTiming> | undefined;
}

const ROOM_WAIT_MS = 500;

/** Combines a topic reader with the delivery of its records; both start and stop together. */
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
        waitForRoom: () => this.delivery.room(ROOM_WAIT_MS),
      },
      options.timing,
    );
  }

  /** Each start creates a new delivery. */
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
    const reason = this.delivery.failureReason ?? this.reader.failureReason;
    return reason === undefined ? { state: 'running' } : { state: 'retrying', reason };
  }

  private newDelivery(): BatchDelivery<T, R> {
    return new BatchDelivery({
      ...this.options.delivery,
      onOffsetConflict: (partitions) => {
        this.reader.relocate(partitions);
      },
    });
  }
}
