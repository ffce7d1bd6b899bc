import type { ChangeKey, PartitionOffsets } from '@stratalog/model';
import type {
  BatchHandler,
  ChangeConsumerOptions,
  ChangeLog,
  Consumption,
  StoreIdentity,
} from '@stratalog/ports';
import { ChangeConsumption } from './change-consumption';
import type { KafkaCluster } from './kafka-cluster';
import type { ReaderTiming } from './topic-reader-options';

export interface KafkaChangeLogOptions {
  readonly identity: StoreIdentity;
  /** What the relay knows to be published; tells a topic that holds nothing new from one that has lost something. */
  readonly published: () => Promise<PartitionOffsets>;
  readonly timing?: Partial<ReaderTiming>;
}

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
