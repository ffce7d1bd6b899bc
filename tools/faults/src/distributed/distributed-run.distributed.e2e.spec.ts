import { describe, expect, it } from '@jest/globals';
import { LIMIT_MS, faultsForSuite } from '../testing/faults-program';
import type { DistributedSummary } from './distributed-report';

/** Kills the writer first, then Kafka. */
const ARGUMENTS = ['--seed', '4', '--rounds', '2', '--faults', 'kill-writer,kill-kafka', '--writers', '8'];

describe('the fault test of the distributed profile', () => {
  const start = faultsForSuite();

  it(
    'finds every promise kept when the writer and Kafka are killed under writers',
    async () => {
      const program = start('distributed', ...ARGUMENTS);
      const summary = (await program.summary()) as DistributedSummary;
      expect(program.lines).toHaveLength(3);
      expect(summary).toMatchObject({
        ok: true,
        rounds: 2,
        faults: { 'kill-writer': 1, 'kill-kafka': 1 },
        checks: 1,
      });
      expect(summary.acknowledged.sync + summary.acknowledged.async).toBeGreaterThan(50);
      expect(summary.verified?.documents).toBe(summary.verified?.entities);
      expect(summary.verified?.drawing).toBeGreaterThan(0);
    },
    LIMIT_MS,
  );
});
