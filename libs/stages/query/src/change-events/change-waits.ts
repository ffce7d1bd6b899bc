import type { PartitionSequences } from '@stratalog/domain';
import { BatchedPoller, currentCaller } from '@stratalog/concurrency';
import type { AspectStore } from '@stratalog/ports';

/** Delay between two looks at the store. It bounds the delay of an event. */
const POLL_DELAY_MS = 100;

/** Waits for changes on behalf of all who follow the log: they share one look at the store, however many they are. */
export class ChangeWaits {
  private readonly poller: BatchedPoller<PartitionSequences, PartitionSequences>;

  constructor({ store }: { readonly store: Pick<AspectStore, 'readPartitionSequences'> }) {
    this.poller = new BatchedPoller({
      poll: async (positions) => {
        const ends = await store.readPartitionSequences();
        return positions.map((position) => (listBehind(position, ends).size === 0 ? undefined : ends));
      },
      delayMs: POLL_DELAY_MS,
    });
  }

  /** Returns the ends of the partitions as soon as one has more changes than `position`; `undefined` when none has in time, or the caller left. */
  async endsBehind(position: PartitionSequences, timeoutMs: number): Promise<PartitionSequences | undefined> {
    if (timeoutMs <= 0) return undefined;
    const late = new Error('There were no changes in time');
    try {
      return await this.poller.waitFor(position, timeoutMs, () => late, currentCaller()?.disconnected);
    } catch (error) {
      if (error === late) return undefined;
      throw error;
    }
  }
}

/** The partitions that have more changes than `position`, each with the number of the last one that was read. */
export function listBehind(position: PartitionSequences, ends: PartitionSequences): PartitionSequences {
  const read = [...ends].map(([partition, end]) => [partition, position.get(partition) ?? 0, end] as const);
  return new Map(read.flatMap(([partition, seq, end]) => (seq < end ? [[partition, seq]] : [])));
}
