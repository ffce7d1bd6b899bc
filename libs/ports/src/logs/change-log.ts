import type { ChangeKey, PartitionSequences } from '@stratalog/domain';
import type { BatchHandler, Subscription } from './consumer';

/** Delivers the changes of the store in commit order. */
export interface ChangeLog {
  /**
   * Delivers the keys of the changes after `options.after`, batch by batch.
   *
   * **Order and repeats**: per partition in `seq` order, without gaps. A change may be delivered again after a failure.
   */
  consume(options: ChangeConsumerOptions, handler: BatchHandler<ChangeKey, void>): Subscription;
}

export interface ChangeConsumerOptions {
  /** Name of the consumer in logs and metrics: `indexer`. */
  readonly name: string;
  /** Reads the checkpoint that the consumer stores with its derived data. Called at each start. */
  readonly after: () => Promise<PartitionSequences>;
  /** Called when the log no longer holds the next change; no later one is delivered then. */
  readonly onGap?: () => void;
  /** Maximum number of records in a batch. */
  readonly maxRecords: number;
}
