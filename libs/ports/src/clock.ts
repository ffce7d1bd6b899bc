/** Wall-clock time, replaced in tests. */
export interface Clock {
  /** **Units**: epoch milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };
