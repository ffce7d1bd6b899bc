import type { ChangeKey } from '@stratalog/model';
import type { BatchHandler, ChangeConsumerOptions, ChangeLog, Subscription } from '@stratalog/ports';
import { ChangeSubscription, type KafkaChangeLogOptions } from './change-subscription';
import type { KafkaCluster } from '../cluster/kafka-cluster';

/** Delivers the changes that the relay has published. Consumers of the same name share the partitions. */
export class KafkaChangeLog implements ChangeLog {
  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaChangeLogOptions,
  ) {}

  consume(consumer: ChangeConsumerOptions, handler: BatchHandler<ChangeKey, void>): Subscription {
    return new ChangeSubscription(this.cluster, { ...this.options, ...consumer }, handler);
  }
}
