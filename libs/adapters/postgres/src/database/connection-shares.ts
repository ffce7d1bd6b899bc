/** What connections are for: the work of the process (writes, logs, indices), reads of callers, and searches of callers. */
export type Share = 'work' | 'reads' | 'searches';

/** `work` holds a lock on one connection while it works on another. */
const LEAST_WORK = 2;

/**
 * How many of the connections each may have, so that however many wait for one, the others find theirs free. A quarter for searches: they
 * are bound by the processor, and more of them at a time only make each slower.
 *
 * `poolSize`: 4 at least.
 */
export function computeShares(poolSize: number): Readonly<Record<Share, number>> {
  const quarter = Math.max(1, Math.floor(poolSize / 4));
  return { searches: quarter, reads: quarter, work: Math.max(LEAST_WORK, poolSize - 2 * quarter) };
}
