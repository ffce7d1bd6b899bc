import { InvalidRequestError, covers, type Position } from '@stratalog/model';
import type { AspectStore } from '@stratalog/ports';
import type { CheckpointPoller } from './checkpoint-poller';

/**
 * Waits until the live index that `poller` polls includes `wanted`.
 *
 * **Errors**: `InvalidRequestError` when the position belongs to another store or epoch, or is ahead of the store.
 * `NotCaughtUpError` with the lag of the index after `timeoutMs`.
 */
export async function awaitPosition(
  {
    store,
    poller,
  }: {
    readonly store: Pick<AspectStore, 'identity' | 'readPartitionSequences'>;
    readonly poller: CheckpointPoller;
  },
  wanted: Position,
  timeoutMs: number,
): Promise<void> {
  const { storeId, epoch } = store.identity;
  if (!storeId.startsWith(wanted.storeId) || epoch !== wanted.epoch) {
    throw new InvalidRequestError('Header X-Stratalog-Wait-For: this position is of another store');
  }
  if (!covers(await store.readPartitionSequences(), wanted.seqs)) {
    throw new InvalidRequestError('Header X-Stratalog-Wait-For: this position lies ahead of the store');
  }
  await poller.until(wanted.seqs, timeoutMs);
}
