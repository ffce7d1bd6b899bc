/** An app that ends more often than this within the window is not started again. */
const MAX_ENDS = 6;
const WINDOW_MS = 600_000;
const FIRST_DELAY_MS = 500;

/**
 * Returns the delay before an app is started again, from the times at which it has ended; undefined: give it
 * up.
 */
export function restartDelay(ends: readonly number[], now: number): number | undefined {
  const recent = ends.filter((end) => now - end < WINDOW_MS).length;
  return recent > MAX_ENDS ? undefined : FIRST_DELAY_MS * 2 ** Math.max(0, recent - 1);
}
