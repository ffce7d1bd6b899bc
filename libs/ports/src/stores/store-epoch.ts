import type { StoreIdentity } from './aspect-store';

/** Begins a new epoch of the store, after it was put back to an older state. */
export interface StoreEpoch {
  /**
   * Raises the epoch of the store. From then on positions, index versions and published changes of former epochs are invalid: indices are
   * built again alongside the live ones, and changes that the store has not published are published under the new epoch.
   *
   * **Order and repeats**: every call begins another epoch. Other processes follow within a second or two.
   *
   * **Errors**: `UnavailableError`.
   */
  raise(): Promise<StoreIdentity>;

  /** Reads the epoch that the store has now; `identity` of `AspectStore` follows it from then on. */
  follow(): Promise<void>;
}
