import type { AspectStore, ConsumerProgress } from '@stratalog/ports';
import type { PolledIndexes } from './checkpoint-poller';

/** Reads which changes of the store the live index includes; none while there is no live index. */
export async function readIndexProgress(
  indexes: PolledIndexes,
  store: Pick<AspectStore, 'readPartitionSequences'>,
): Promise<ConsumerProgress> {
  const live = await indexes.live();
  const position = (await live?.position()) ?? new Map<number, number>();
  const sequences = await store.readPartitionSequences();
  return new Map(
    [...sequences].map(([partition, endOffset]) => [
      partition,
      { committedOffset: position.get(partition) ?? 0, endOffset },
    ]),
  );
}
