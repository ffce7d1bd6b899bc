/** The use of a connection: work of the process (writes, logs, indices), reads of callers, or searches of callers. */
export type Share = 'work' | 'reads' | 'searches';

/** Minimum for `work`, which holds a lock on one connection while it works on another. */
const MIN_WORK_CONNECTIONS = 2;

/**
 * Divides the connections among the three uses, so that waiters for one never block another.
 *
 * A quarter is for searches: the processor limits them, and more at a time only make each slower. `poolSize` is at
 * least 4.
 */
export function computeShares(poolSize: number): Readonly<Record<Share, number>> {
  const quarter = Math.max(1, Math.floor(poolSize / 4));
  return { searches: quarter, reads: quarter, work: Math.max(MIN_WORK_CONNECTIONS, poolSize - 2 * quarter) };
}
