import { describe, expect, it } from '@jest/globals';
import { EMBEDDED, LIMIT_MS, faultsForSuite } from '../testing/faults-program';
import type { FuzzSummary } from './fuzz-report';

const REQUESTS = 1_000;

describe('hostile requests', () => {
  const start = faultsForSuite(EMBEDDED);

  it(
    'are never answered 5xx, and leave a catalog that is well',
    async () => {
      const program = start('fuzz', '--seed', '12', '--requests', String(REQUESTS));
      const exitCode = await program.exitCode;
      const summary = JSON.parse(program.lines.at(-1) ?? '{}') as FuzzSummary;
      const { ok, violation, serverErrors, isWell, sent, answers } = summary;
      expect({ exitCode, ok, violation, serverErrors, isWell, sent }).toEqual({
        exitCode: 0,
        ok: true,
        serverErrors: [],
        isWell: true,
        sent: REQUESTS,
      });
      // Some requests must succeed and some must be rejected.
      for (const statusClass of ['2xx', '4xx']) expect(answers[statusClass]).toBeGreaterThan(REQUESTS / 10);
      expect(program.left).toEqual([]);
    },
    LIMIT_MS,
  );
});
