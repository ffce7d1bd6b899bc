import { UnavailableError, type PartitionSequences } from '@stratalog/domain';
import { pause } from '@stratalog/concurrency';
import type { AspectStore, ConsumerProgress } from '@stratalog/ports';
import type { PolledIndexes } from './positioned-reads';

/** An index that takes longer to say how far it is counts as one that stands still. */
const PATIENCE_MS = 1_000;

/**
 * Returns a function that reads which changes of the store the live index includes; none while there is no live index. While the index
 * does not answer, it has its last known position, so that its lag grows with the store.
 *
 * **Errors** of the function: those of the store, and of an index that has never answered.
 */
export function trackIndexProgress(
  indexes: PolledIndexes,
  store: Pick<AspectStore, 'readPartitionSequences'>,
): () => Promise<ConsumerProgress> {
  let known: PartitionSequences | undefined;
  return async () => {
    const [position, sequences] = await Promise.all([
      readWithin(indexes).catch((error: unknown) => {
        if (known === undefined) throw error;
        return known;
      }),
      store.readPartitionSequences(),
    ]);
    known = position;
    return new Map(
      [...sequences].map(([partition, endOffset]) => [
        partition,
        { committedOffset: position.get(partition) ?? 0, endOffset },
      ]),
    );
  };
}

async function readWithin(indexes: PolledIndexes): Promise<PartitionSequences> {
  const answered = new AbortController();
  const giveUp = async (): Promise<never> => {
    await pause(PATIENCE_MS, answered.signal);
    throw new UnavailableError('The index does not answer');
  };
  const read = async (): Promise<PartitionSequences> =>
    (await (await indexes.live())?.position()) ?? new Map();
  try {
    return await Promise.race([read(), giveUp()]);
  } finally {
    answered.abort();
  }
}
