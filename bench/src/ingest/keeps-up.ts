import type { LoadFigures } from '../load/load-figures';
import type { CpuCores } from '../machine/process-usage';

/** Writes at one rate for a while, and how far behind the index was seen to be. */
export interface Step {
  readonly pacedRate: number;
  readonly seconds: number;
  readonly figures: LoadFigures & { readonly cpuCores?: CpuCores };
  /** Looked at in even distances. */
  readonly agesMs: readonly number[];
}

const MAX_AGE_MS = 5_000;
/** More than this from the middle to the last third of a step, and the index would leave any bound in time. */
const MAX_GROWTH_MS = 500;
const MIN_SHARE_WRITTEN = 0.97;

/** True when the writes were taken at the rate asked for, and the index stayed within 5 s without falling ever further behind. */
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
