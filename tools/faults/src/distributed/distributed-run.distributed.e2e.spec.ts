import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processesIn } from '../left-processes';
import type { DistributedSummary } from './distributed-report';
import type { PoisonSummary } from './poison-run';

const PROGRAM = join(import.meta.dirname, '../../../bootstrap/faults.mjs');
const LIMIT_MS = 300_000;
/** Kills the writer first, then Kafka. */
const ARGUMENTS = ['--seed', '4', '--rounds', '2', '--faults', 'kill-writer,kill-kafka', '--writers', '8'];

const children: ChildProcess[] = [];

afterEach(async () => {
  for (const child of children.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}, LIMIT_MS);

interface Run {
  readonly exitCode: number | null;
  /** What it prints. */
  readonly lines: readonly unknown[];
  /** What it says on the way. */
  readonly said: readonly string[];
}

async function run(args: readonly string[]): Promise<Run> {
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  const printed: string[] = [];
  const said: string[] = [];
  createInterface(child.stdout).on('line', (line) => printed.push(line));
  createInterface(child.stderr).on('line', (line) => said.push(line));
  const [exitCode] = (await once(child, 'close')) as [number | null];
  return { exitCode, lines: printed.map((line) => JSON.parse(line) as unknown), said };
}

function expectWellDone({ exitCode, said }: Run): void {
  expect({ exitCode, said: exitCode === 0 ? [] : said }).toEqual({ exitCode: 0, said: [] });
  const folder = / in (\S+)$/.exec(said.find((line) => line.includes(' rounds, in ')) ?? '')?.[1] ?? '';
  expect(folder).not.toBe('');
  expect(existsSync(folder)).toBe(false);
  expect(processesIn(folder, join(folder, 'data'))).toEqual([]);
}

describe('the fault test of the distributed profile', () => {
  it(
    'finds every promise kept when the writer and Kafka are killed under writers',
    async () => {
      const done = await run(['distributed', ...ARGUMENTS]);
      expectWellDone(done);
      const summary = done.lines.at(-1) as DistributedSummary;
      expect(done.lines).toHaveLength(3);
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

  it(
    'finds that records which nobody can apply do not delay the others',
    async () => {
      const done = await run(['poison', '--seed', '1', '--rounds', '1', '--round-ms', '2000']);
      expectWellDone(done);
      const { without, withPoison, poisonRecords } = done.lines.at(-1) as PoisonSummary;
      expect(poisonRecords).toBeGreaterThan(100);
      // Generous, because other suites run at the same time; what waits for poison would wait for seconds.
      expect(withPoison?.p95).toBeLessThan(5 * (without?.p95 ?? 0) + 500);
    },
    LIMIT_MS,
  );
});
