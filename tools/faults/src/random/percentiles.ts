/** Milliseconds, in tenths. */
export interface Percentiles {
  readonly count: number;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly max: number;
}

/** `undefined` without samples. */
export function computePercentiles(timesMs: readonly number[]): Percentiles | undefined {
  const sorted = [...timesMs].sort((a, b) => a - b);
  const last = sorted.at(-1);
  if (last === undefined) return undefined;
  const at = (share: number): number => tenths(sorted[Math.ceil(share * sorted.length) - 1] ?? last);
  return { count: sorted.length, p50: at(0.5), p95: at(0.95), p99: at(0.99), max: tenths(last) };
}

function tenths(timeMs: number): number {
  return Math.round(timeMs * 10) / 10;
}
