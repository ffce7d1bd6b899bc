import type { JsonOutputObject } from '@stratalog/json';
import type { AspectStore, StoreEpoch } from '@stratalog/ports';

export interface RestoredDeps {
  readonly store: Pick<AspectStore, 'identity'>;
  readonly storeEpoch: Pick<StoreEpoch, 'raise'>;
}

/** Begins a new epoch of a store that was put back to an older state. */
export async function declareRestored({ store, storeEpoch }: RestoredDeps): Promise<JsonOutputObject> {
  const { epoch: formerEpoch } = store.identity;
  const { epoch } = await storeEpoch.raise();
  return { epoch, formerEpoch };
}
