import type { ChangeKey } from '@stratalog/domain';
import type { BatchHandler, ChangeConsumerOptions, ChangeLog, Subscription } from '@stratalog/ports';
import { TopicSubscription } from '../consumer/topic-subscription';
import { ChangeSource, type KafkaChangeLogOptions } from './change-source';
import type { KafkaCluster } from '../cluster/kafka-cluster';

/**
 * Minimum interval between batches. Consumers make each batch visible or durable with requests that cost the same for
 * one change and for hundreds. It is slightly shorter than the relay's interval, so that a batch starts when one
 * arrives.
 */
const MIN_INTERVAL_MS = 80;
/** Delivers the changes that the relay has published. Consumers of the same name share the partitions. */
export class KafkaChangeLog implements ChangeLog {
  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaChangeLogOptions,
  ) {}

  consume(consumer: ChangeConsumerOptions, handler: BatchHandler<ChangeKey, void>): Subscription {
    const source = new ChangeSource(this.cluster, { ...this.options, ...consumer });
    const delivery = {
      maxRecords: consumer.maxRecords,
      minIntervalMs: MIN_INTERVAL_MS,
      handler,
      onDone: () => undefined,
    };
    return new TopicSubscription(this.cluster, { source, delivery, timing: this.options.timing });
  }
}
