import { distance } from '@stratalog/model';
import type { AspectStore } from '@stratalog/ports';
import type { PolledIndexes } from './checkpoint-poller';

/** How many changes of the store the live index has not; all of them while there is none. */
export async function indexLag(indexes: PolledIndexes, store: Pick<AspectStore, 'head'>): Promise<number> {
  const live = await indexes.live();
  return distance((await live?.position()) ?? new Map(), await store.head());
}
