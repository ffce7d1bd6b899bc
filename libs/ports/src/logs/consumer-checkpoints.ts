import type { PartitionSequences } from '@stratalog/domain';

/**
 * Stores how far consumers of the change log are that keep no derived data, with which they could store it.
 *
 * **Errors**: `UnavailableError` from every method.
 */
export interface ConsumerCheckpoints {
  /** Reads up to where a consumer has handled each partition. Partitions that it never saved are absent. */
  read(consumer: string): Promise<PartitionSequences>;

  /**
   * Saves up to where a consumer has handled some partitions.
   *
   * **Order and repeats**: a checkpoint never moves back; other partitions stay as they are.
   */
  save(consumer: string, reached: PartitionSequences): Promise<void>;
}
