import { setTimeout } from 'node:timers/promises';
import { InvalidRequestError, NotCaughtUpError, covers, distance, type Position } from '@stratalog/model';
import type { AspectStore, SearchIndexes } from '@stratalog/ports';

const POLL_MS = 20;

/**
 * Waits until the live search index includes `wanted`.
 *
 * **Errors**: `InvalidRequestError` when the position is of another store or epoch, or ahead of the store; `NotCaughtUpError` with how
 * far the index is after `timeoutMs`.
 */
export async function awaitPosition(
  { store, searchIndexes }: { readonly store: AspectStore; readonly searchIndexes: SearchIndexes },
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
  const end = performance.now() + timeoutMs;
  for (;;) {
    const reached = (await (await searchIndexes.live())?.position()) ?? new Map<number, number>();
    if (covers(reached, wanted.seqs)) return;
    if (performance.now() > end) {
      throw new NotCaughtUpError(
        `The search index is ${String(distance(reached, wanted.seqs))} changes behind the position after ${String(timeoutMs)} ms`,
      );
    }
    await setTimeout(POLL_MS);
  }
}
