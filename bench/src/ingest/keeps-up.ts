import type { LoadFigures } from '../load/load-figures';
import type { CpuCores } from '../machine/process-usage';

/** Writes at one rate for some time, with the observed lag of the index. */
export interface Step {
  readonly pacedRate: number;
  readonly seconds: number;
  readonly figures: LoadFigures & { readonly cpuCores?: CpuCores };
  /** Sampled at even intervals. */
  readonly agesMs: readonly number[];
}

const MAX_AGE_MS = 5_000;
/** Beyond this growth from the middle to the last third of a step, the lag would exceed any bound in time. */
const MAX_GROWTH_MS = 500;
const MIN_SHARE_WRITTEN = 0.97;

/**
 * True when the catalog accepted the writes at the requested rate, and the index stayed within 5 s without
 * falling ever further behind.
 */
export function keepsUp({ pacedRate, figures, agesMs }: Step): boolean {
  const third = Math.floor(agesMs.length / 3);
  const middle = mean(agesMs.slice(third, 2 * third));
  const last = mean(agesMs.slice(2 * third));
  return (
    figures.rate >= pacedRate * MIN_SHARE_WRITTEN &&
    Math.max(0, ...agesMs) <= MAX_AGE_MS &&
    last <= middle + MAX_GROWTH_MS
  );
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
