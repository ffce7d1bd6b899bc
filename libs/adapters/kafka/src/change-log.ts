import type { ChangeKey } from '@stratalog/model';
import type { BatchHandler, ChangeConsumerOptions, ChangeLog, Consumption } from '@stratalog/ports';
import { ChangeConsumption, type KafkaChangeLogOptions } from './change-consumption';
import type { KafkaCluster } from './kafka-cluster';

/** The changes that the relay has published to their topic. Consumers of one name share its partitions. */
export class KafkaChangeLog implements ChangeLog {
  constructor(
    private readonly cluster: KafkaCluster,
    private readonly options: KafkaChangeLogOptions,
  ) {}

  consume(consumer: ChangeConsumerOptions, handler: BatchHandler<ChangeKey, void>): Consumption {
    return new ChangeConsumption(this.cluster, { ...this.options, ...consumer }, handler);
  }
}
