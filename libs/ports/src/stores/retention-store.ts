import type { AspectRef } from './aspect-ref';

/** Old values of one aspect that may go: of versions up to a number that were written before a time. */
export interface Truncation extends AspectRef {
  /** Below the number of the newest. */
  readonly upTo: number;
  /** Epoch ms. */
  readonly beforeMs: number;
}

/** An aspect that the store has a history of, with its newest number. */
export interface NumberedAspect extends AspectRef {
  readonly newest: number;
}

/** Versions whose values are gone, both included. */
export interface Truncated extends AspectRef {
  readonly from: number;
  readonly to: number;
  /** There may be more that may go. */
  readonly hasMore: boolean;
}

/** The store as retention sees it: histories, what was erased of them, and whose turn it is. */
export interface RetentionStore {
  /** Aspects in the order of their urns and names, those after one; deleted ones are among them. A name may be empty: before all others. */
  aspectsAfter(after: AspectRef | undefined, limit: number): Promise<readonly NumberedAspect[]>;

  /**
   * Erases the oldest values that may go, some hundreds of each aspect at most, and notes it in the same transaction. The versions
   * stay without them.
   *
   * **Order and repeats**: never a value that the change log's publisher has not published yet, whatever its age. Again, it erases what
   * may go by then and else nothing.
   */
  truncate(truncations: readonly Truncation[]): Promise<readonly Truncated[]>;

  /**
   * Lets one process of several pass over the store from time to time; `undefined` when another does so now, or it is not the time yet.
   * A pass that was broken off goes on where it stood.
   */
  takeTurn(turn: RetentionTurn): Promise<{ readonly after?: AspectRef } | undefined>;

  /** Notes where the pass stands, or that it is done; false when another process has taken it over. */
  keepTurn(turn: RetentionTurn, after: AspectRef | 'done'): Promise<boolean>;
}

export interface RetentionTurn {
  readonly owner: string;
  /** Epoch ms. */
  readonly nowMs: number;
  /** So long after the end of one pass begins the next. */
  readonly everyMs: number;
}
