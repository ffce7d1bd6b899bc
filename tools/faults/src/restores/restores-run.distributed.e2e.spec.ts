import { describe, expect, it } from '@jest/globals';
import { LIMIT_MS, faultsForSuite } from '../testing/faults-program';
import type { RestoresSummary } from './restores-run';

describe('servers that are put back to an older state', () => {
  const start = faultsForSuite();

  it(
    'lose no acknowledged write, and none is acknowledged that is not applied',
    async () => {
      const program = start('restores', '--seed', '1');
      const summary = (await program.summary()) as RestoresSummary;
      expect(summary).toMatchObject({
        ok: true,
        restores: ['kafka-copy', 'topic-made-again', 'postgres-copy', 'engine-copy'],
      });
      expect(summary.acknowledged).toBeGreaterThan(1_000);
    },
    2 * LIMIT_MS,
  );
});
