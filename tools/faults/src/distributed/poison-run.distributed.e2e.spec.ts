import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { FaultsProgram } from '../testing/faults-program';
import type { PoisonSummary } from './poison-run';

const LIMIT_MS = 300_000;
const ARGUMENTS = ['--seed', '1', '--rounds', '1', '--round-ms', '2000'];

describe('the test of records that nobody can apply', () => {
  let program: FaultsProgram;

  beforeAll(() => {
    expect(FaultsProgram.buildAll()).toBe(0);
  }, LIMIT_MS);

  afterEach(() => program.end(), LIMIT_MS);

  it(
    'finds that they do not delay the others',
    async () => {
      program = new FaultsProgram(['poison', ...ARGUMENTS]);
      const { without, withPoison, poisonRecords } = (await program.summary()) as PoisonSummary;
      expect(poisonRecords).toBeGreaterThan(100);
      // Generous, for machines that are busy with something else; what waits for poison would wait for seconds.
      expect(withPoison?.p95).toBeLessThan(5 * (without?.p95 ?? 0) + 500);
    },
    LIMIT_MS,
  );
});
