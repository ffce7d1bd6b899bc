/** Durations of exchanges. **Units**: milliseconds. */
export interface Latencies {
  readonly count: number;
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** **Shape**: percentiles by nearest rank, to a microsecond; all 0 for no samples. */
export function toLatencies(samplesMs: readonly number[]): Latencies {
  const sorted = Float64Array.from(samplesMs).sort();
  return {
    count: sorted.length,
    p50Ms: rank(sorted, 0.5),
    p95Ms: rank(sorted, 0.95),
    p99Ms: rank(sorted, 0.99),
    maxMs: rank(sorted, 1),
  };
}

function rank(sorted: Float64Array, share: number): number {
  const sample = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
  return Math.round(sample * 1000) / 1000;
}
