/** Wall-clock time, replaced in tests. */
export interface Clock {
  /** **Units**: epoch milliseconds. */
  now(): number;

  /**
   * Returns one sentence for the operator when the time is implausible; `undefined` while it is plausible.
   *
   * No stamp may be taken, and no value purged by age, while the time is implausible. A clock without this method is
   * always trusted. `lastStampMs` is a stamp that the store has already assigned: a clock too far behind it is
   * implausible.
   */
  doubt?(lastStampMs?: number): string | undefined;
}
