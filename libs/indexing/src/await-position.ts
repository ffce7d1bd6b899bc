import { InvalidRequestError, covers, type Position } from '@stratalog/model';
import type { AspectStore } from '@stratalog/ports';
import type { CheckpointPoller } from './checkpoint-poller';

/**
 * Waits until the live index that `watch` looks at includes `wanted`.
 *
 * **Errors**: `InvalidRequestError` when the position is of another store or epoch, or ahead of the store; `NotCaughtUpError` with how
 * far the index is after `timeoutMs`.
 */
export async function awaitPosition(
  { store, watch }: { readonly store: AspectStore; readonly watch: CheckpointPoller },
  wanted: Position,
  timeoutMs: number,
): Promise<void> {
  const { storeId, epoch } = store.identity;
  if (!storeId.startsWith(wanted.storeId) || epoch !== wanted.epoch) {
    throw new InvalidRequestError('Header X-Stratalog-Wait-For: this position is of another store');
  }
  if (!covers(await store.head(), wanted.seqs)) {
    throw new InvalidRequestError('Header X-Stratalog-Wait-For: this position lies ahead of the store');
  }
  await watch.until(wanted.seqs, timeoutMs);
}
