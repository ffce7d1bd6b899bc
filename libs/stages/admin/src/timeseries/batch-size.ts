/** Writers of the same partitions wait for a batch, so it is to take at most this long: a quarter of what they may wait. */
const GOAL_MS = 25;
const MIN_BATCH = 20;
const MAX_BATCH = 500;
/** The size of a batch before it is known how long one takes. */
export const FIRST_BATCH = 100;

/** Chooses the size of the next batch by how long the last one took: at most twice as large, and as small as a slow machine needs. */
export function adaptBatch(size: number, tookMs: number): number {
  const fitting = Math.floor((size * GOAL_MS) / Math.max(tookMs, 1));
  return Math.max(MIN_BATCH, Math.min(MAX_BATCH, size * 2, fitting));
}
