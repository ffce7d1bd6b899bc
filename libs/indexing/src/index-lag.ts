import { distance } from '@stratalog/model';
import type { AspectStore } from '@stratalog/ports';
import type { PolledIndexes } from './checkpoint-poller';

/** Counts the changes of the store that the live index does not include; all of them while there is no live index. */
export async function indexLag(indexes: PolledIndexes, store: Pick<AspectStore, 'head'>): Promise<number> {
  const live = await indexes.live();
  return distance((await live?.position()) ?? new Map(), await store.head());
}
