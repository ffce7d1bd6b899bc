import { describe, expect, it } from '@jest/globals';
import type { CrashSummary, RoundReport } from './crash-report';
import { EMBEDDED, LIMIT_MS, faultsForSuite } from '../testing/faults-program';

/**
 * Kills the catalog while it builds indices for the other model in its first and third round, in the third to return to
 * the former one, and PostgreSQL in the second.
 */
const SEED = 2028;
const ROUNDS = 3;

const start = faultsForSuite(EMBEDDED);

describe('the crash test', () => {
  it(
    'finds every promise kept by a catalog that is killed under writers',
    async () => {
      const size = ['--rounds', String(ROUNDS), '--round-ms', '500', '--writers', '16'];
      const program = start('crash', '--seed', String(SEED), ...size);
      const exitCode = await program.exitCode;
      const lines = program.lines.map((line) => JSON.parse(line) as RoundReport | CrashSummary);
      const summary = lines.pop() as CrashSummary;
      expect({
        exitCode,
        violation: summary.violation,
        said: program.said.filter((l) => l.includes('VIOL')),
      }).toEqual({
        exitCode: 0,
        violation: undefined,
        said: [],
      });
      expect(lines).toHaveLength(ROUNDS);
      expect(summary).toMatchObject({ summary: 'crash', ok: true, seed: SEED, rounds: ROUNDS });
      expect((lines as RoundReport[]).map(({ builtIndex }) => builtIndex)).toEqual([true, false, false]);
      expect(summary.acknowledged.sync + summary.acknowledged.async).toBeGreaterThan(50);
      expect(summary.verified?.documents).toBe(summary.verified?.entities);
      expect(summary.verified?.drawing).toBeGreaterThan(0);
      expect(program.left).toEqual([]);
    },
    LIMIT_MS,
  );

  it(
    'leaves nothing behind when it is interrupted',
    async () => {
      const size = ['--rounds', '50', '--round-ms', '200', '--writers', '4'];
      const program = start('crash', '--seed', '1', ...size);
      await program.printed(/^\{/m);
      program.signal('SIGINT');
      expect(await program.exitCode).toBe(130);
      expect(program.left).toEqual([]);
    },
    LIMIT_MS,
  );
});
