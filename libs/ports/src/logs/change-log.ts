import type { ChangeKey, PartitionSequences } from '@stratalog/model';
import type { BatchHandler, Subscription } from './consumer';

/** Reads the changes of the store in commit order. */
export interface ChangeLog {
  /**
   * Delivers the keys of changes after `options.after`, batch by batch.
   *
   * **Order and repeats**: per partition in `seq` order, none left out; a change may come again after a failure.
   */
  consume(options: ChangeConsumerOptions, handler: BatchHandler<ChangeKey, void>): Subscription;
}

export interface ChangeConsumerOptions {
  /** Who reads, for logs and metrics: `indexer`. */
  readonly name: string;
  /** Asked at each start: the position that the reader keeps with what it derives. */
  readonly after: () => Promise<PartitionSequences>;
  /** At most this many records per batch. */
  readonly maxRecords: number;
}
