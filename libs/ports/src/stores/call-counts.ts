/** `read` and `write` count admitted calls of a caller; `failure` counts wrong tokens from a network. */
export type CallKind = 'read' | 'write' | 'failure';

/** Calls of one caller in one window of time. */
export interface CallCount {
  readonly kind: CallKind;
  readonly caller: string;
  /** Number of the window since the epoch; the kind decides how long a window is. */
  readonly window: number;
  readonly count: number;
}

/**
 * Shares the counts of calls between the processes of a catalog. Counts are estimates: a store that lost its server
 * may have forgotten them.
 *
 * **Errors**: `UnavailableError` from every method.
 */
export interface CallCounts {
  /** Adds the calls of one process; returns for each entry the number of all processes. No entry may occur twice. */
  add(counts: readonly CallCount[]): Promise<readonly CallCount[]>;

  /** Lists at most `limit` counts of a kind that changed within `ageMs`, the last change first. */
  listRecent(kind: CallKind, ageMs: number, limit: number): Promise<readonly CallCount[]>;

  /** Deletes counts of some kinds that did not change within `ageMs`, and returns their number. */
  purge(kinds: readonly CallKind[], ageMs: number): Promise<number>;
}
