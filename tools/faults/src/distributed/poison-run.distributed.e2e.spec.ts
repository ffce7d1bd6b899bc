import { describe, expect, it } from '@jest/globals';
import { LIMIT_MS, faultsForSuite } from '../testing/faults-program';
import type { PoisonSummary } from './poison-run';

const ARGUMENTS = ['--seed', '1', '--rounds', '1', '--round-ms', '2000'];

describe('the test of records that cannot be applied', () => {
  const start = faultsForSuite();

  it(
    'finds that they do not delay the others',
    async () => {
      const program = start('poison', ...ARGUMENTS);
      const { without, withPoison, poisonRecords } = (await program.summary()) as PoisonSummary;
      expect(poisonRecords).toBeGreaterThan(100);
      // Generous, for busy machines; a write that waited for poison would wait for seconds.
      expect(withPoison?.p95Ms).toBeLessThan(5 * (without?.p95Ms ?? 0) + 500);
    },
    LIMIT_MS,
  );
});
