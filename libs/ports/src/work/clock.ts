/** Wall-clock time, replaced in tests. */
export interface Clock {
  /** **Units**: epoch milliseconds. */
  now(): number;

  /**
   * Says in one sentence for the operator why no stamp may be taken now, and nothing be erased by age; `undefined` while the time is
   * plausible. A clock without this method is always believed.
   *
   * `lastStampMs` is a stamp that the store has already given: a clock that is too far behind it is not plausible.
   */
  doubt?(lastStampMs?: number): string | undefined;
}

export const systemClock: Clock = { now: () => Date.now() };
