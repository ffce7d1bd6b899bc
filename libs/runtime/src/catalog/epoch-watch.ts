import { PollLoop } from '@stratalog/concurrency';
import type { StoreEpoch } from '@stratalog/ports';

const EVERY_MS = 1_000;

/** Follows the epoch of the store, which another process may raise; returns the function that ends it. */
export async function watchEpoch(epoch: Pick<StoreEpoch, 'follow'>): Promise<() => Promise<void>> {
  const rounds = new PollLoop({ round: () => epoch.follow(), everyMs: EVERY_MS });
  await rounds.start();
  return () => rounds.stop();
}
