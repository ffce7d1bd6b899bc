import { afterEach, describe, expect, it } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { processesIn } from '../left-processes';
import type { DistributedRound, DistributedSummary } from './distributed-report';

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

describe('the fault test of the distributed profile', () => {
  it(
    'finds every promise kept when the writer and Kafka are killed under writers',
    async () => {
      const child = spawn(process.execPath, [PROGRAM, 'distributed', ...ARGUMENTS], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.push(child);
      const printed: string[] = [];
      const said: string[] = [];
      createInterface(child.stdout).on('line', (line) => printed.push(line));
      createInterface(child.stderr).on('line', (line) => said.push(line));
      const [exitCode] = (await once(child, 'close')) as [number | null];
      const lines = printed.map((line) => JSON.parse(line) as DistributedRound | DistributedSummary);
      const summary = lines.pop() as DistributedSummary;
      expect({ exitCode, violation: summary.violation, said: exitCode === 0 ? [] : said }).toEqual({
        exitCode: 0,
        violation: undefined,
        said: [],
      });
      expect(lines).toHaveLength(2);
      expect(summary).toMatchObject({
        ok: true,
        rounds: 2,
        faults: { 'kill-writer': 1, 'kill-kafka': 1 },
        checks: 1,
      });
      expect(summary.acknowledged.sync + summary.acknowledged.async).toBeGreaterThan(50);
      expect(summary.verified?.documents).toBe(summary.verified?.entities);
      const folder = / in (\S+)$/.exec(said.find((line) => line.includes(' rounds, in ')) ?? '')?.[1] ?? '';
      expect(folder).not.toBe('');
      expect(existsSync(folder)).toBe(false);
      expect(processesIn(folder, join(folder, 'data'))).toEqual([]);
    },
    LIMIT_MS,
  );
});
