import fc from 'fast-check';
import type { Operation } from './operation';
import { anyRead } from './random-reads';
import { anyOfRuns } from './random-runs';
import { anySearch } from './random-searches';
import { anyChange } from './random-writes';

/** Some requests that write and read, then some that search the result and follow its relationships. */
export interface Phase {
  readonly changes: readonly Operation[];
  readonly searches: readonly Operation[];
}

export const CHANGES = 20;
export const SEARCHES = 10;

const change = fc.oneof(
  { weight: 18, arbitrary: anyChange },
  { weight: 1, arbitrary: anyOfRuns },
  { weight: 12, arbitrary: anyRead },
);

/** The same for the same seed. */
export function randomPhases(seed: number, count: number): readonly Phase[] {
  const phase = fc.record({
    changes: fc.array(change, { minLength: CHANGES, maxLength: CHANGES }),
    searches: fc.array(anySearch, { minLength: SEARCHES, maxLength: SEARCHES }),
  });
  return fc.sample(phase, { seed, numRuns: count });
}
