import type { AspectRef } from './aspect-ref';

/** Selects old values of one aspect to purge: versions up to a number that were written before a time. */
export interface Truncation extends AspectRef {
  /** Lower than the newest version number. */
  readonly upTo: number;
  /** Epoch ms. */
  readonly beforeMs: number;
}

/** An aspect that has a history in the store, with its newest version number. */
export interface NumberedAspect extends AspectRef {
  readonly newest: number;
}

/** The versions whose values one call purged, both ends included. */
export interface Truncated extends AspectRef {
  readonly from: number;
  readonly to: number;
  /** True when more values may be purgeable. */
  readonly hasMore: boolean;
}

/** Purges old values from histories, and keeps when the last pass over all of them ended. */
export interface RetentionStore {
  /**
   * Lists aspects after `after`, by urn and aspect name, including deleted ones. An empty aspect name sorts before all
   * others.
   */
  aspectsAfter(after: AspectRef | undefined, limit: number): Promise<readonly NumberedAspect[]>;

  /**
   * Purges the oldest purgeable values, at most some hundreds of each aspect, and records it in the same transaction.
   * The versions stay, without values.
   *
   * **Order and repeats**: a value that the change relay has not published yet is never purged, whatever its age. A
   * repeated call purges only values that have become purgeable.
   */
  truncate(truncations: readonly Truncation[]): Promise<readonly Truncated[]>;

  /** Returns when the last pass over all aspects ended, in epoch ms. */
  readLastPass(): Promise<number | undefined>;

  /** Keeps when a pass ended. */
  savePass(endedMs: number): Promise<void>;
}
