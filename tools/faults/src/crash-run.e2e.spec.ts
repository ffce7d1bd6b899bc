import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { CrashSummary, RoundReport } from './crash-report';
import { processesIn } from './left-processes';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = join(ROOT, 'dist/tools/faults/main.js');
const LIMIT_MS = 180_000;

/** Kills the catalog together with PostgreSQL in its first round, and during an index build in the second. */
const SEED = 468;

const children: ChildProcess[] = [];

beforeAll(() => {
  const build = join(ROOT, 'tools/bootstrap/build.mjs');
  const built = spawnSync(process.execPath, [build, 'tools/faults/main', 'apps/standalone/main']);
  expect(built.status).toBe(0);
}, LIMIT_MS);

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}, LIMIT_MS);

interface Run {
  readonly child: ChildProcess;
  /** What it prints. */
  readonly lines: string[];
  /** What it says on the way. */
  readonly said: string[];
  readonly exitCode: Promise<number | null>;
}

function startRun(args: readonly string[]): Run {
  const child = spawn(process.execPath, [PROGRAM, 'crash', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const run = { lines: [] as string[], said: [] as string[] };
  createInterface(child.stdout).on('line', (line) => run.lines.push(line));
  createInterface(child.stderr).on('line', (line) => run.said.push(line));
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  return { child, exitCode, ...run };
}

/** The folder that it says it works in. */
function folderOf({ said }: Run): string {
  return /in (\S+)$/.exec(said[0] ?? '')?.[1] ?? '';
}

function expectNothingLeft(run: Run): void {
  const folder = folderOf(run);
  expect(folder).not.toBe('');
  expect(existsSync(folder)).toBe(false);
  expect(processesIn(folder, join(folder, 'data'))).toEqual([]);
}

describe('the crash test', () => {
  it(
    'finds every promise kept by a catalog that is killed under writers',
    async () => {
      const run = startRun(['--seed', String(SEED), '--rounds', '2', '--round-ms', '500', '--writers', '16']);
      const exitCode = await run.exitCode;
      const lines = run.lines.map((line) => JSON.parse(line) as RoundReport | CrashSummary);
      const summary = lines.pop() as CrashSummary;
      expect({
        exitCode,
        violation: summary.violation,
        said: run.said.filter((l) => l.includes('VIOL')),
      }).toEqual({
        exitCode: 0,
        violation: undefined,
        said: [],
      });
      expect(lines).toHaveLength(2);
      expect(summary).toMatchObject({ summary: 'crash', ok: true, seed: SEED, rounds: 2 });
      expect(summary.acknowledged.sync + summary.acknowledged.async).toBeGreaterThan(50);
      expect(summary.verified?.documents).toBe(summary.verified?.entities);
      expect(summary.verified?.drawing).toBeGreaterThan(0);
      expectNothingLeft(run);
    },
    LIMIT_MS,
  );

  it(
    'leaves nothing behind when it is interrupted',
    async () => {
      const run = startRun(['--seed', '1', '--rounds', '50', '--round-ms', '200', '--writers', '4']);
      await once(run.child.stdout ?? run.child, 'data');
      run.child.kill('SIGINT');
      expect(await run.exitCode).toBe(130);
      expectNothingLeft(run);
    },
    LIMIT_MS,
  );
});
