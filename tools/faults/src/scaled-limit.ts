import { timeScale } from '../../bootstrap/test/time-scale.mjs';

/** Returns a time limit for this machine: slower than the reference machine, or busy with other suites of a test run. **Units**: milliseconds, both. */
export function scaledLimit(ms: number): number {
  return Math.ceil(ms * timeScale());
}
