import { describe, expect, it } from '@jest/globals';
import { EMBEDDED, LIMIT_MS, faultsForSuite } from '../testing/faults-program';
import type { RaceSummary } from './race-report';

const INCREMENTS = 1_000;

describe('the races', () => {
  const start = faultsForSuite(EMBEDDED);

  it(
    'lose no update, and report only that another write was faster',
    async () => {
      const size = ['--increments', String(INCREMENTS), '--writers', '64', '--urns', '6'];
      const program = start('races', '--seed', '12', ...size);
      const exitCode = await program.exitCode;
      const { ok, violation, raised, overtaken, others, verified } = JSON.parse(
        program.lines.at(-1) ?? '{}',
      ) as RaceSummary;
      expect({ exitCode, ok, violation }).toEqual({ exitCode: 0, ok: true });
      expect(raised.condition + raised.patch + raised.batch).toBe(INCREMENTS);
      expect(
        Math.min(raised.condition, raised.patch, raised.batch, others.sync, others.async),
      ).toBeGreaterThan(0);
      // The racers did collide.
      expect(overtaken).toBeGreaterThan(INCREMENTS / 10);
      expect(verified?.documents).toBe(verified?.entities);
      expect(program.left).toEqual([]);
    },
    LIMIT_MS,
  );
});
