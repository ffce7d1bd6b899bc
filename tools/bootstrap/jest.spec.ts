import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOf } from './workspace/only-one.mjs';

const LIMIT_MS = limitMs(90_000);
const HANGS = `
  const { renameSync, writeFileSync } = require('node:fs');
  test('hangs', () => {
    writeFileSync(__dirname + '/draft', String(process.pid));
    renameSync(__dirname + '/draft', __dirname + '/pid');
    return new Promise(() => setInterval(() => undefined, 1000));
  });
`;

let folder: string;
let run: ChildProcess | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-jest-`));
});

afterEach(() => {
  run?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

test(
  'ending the run ends the processes that run its suites',
  async () => {
    writeFileSync(join(folder, 'hangs.spec.js'), HANGS);
    const config = {
      rootDir: folder,
      testMatch: ['**/*.spec.js'],
      // In a process of its own, like all suites; it ends no sooner than this test.
      workerIdleMemoryLimit: '1GB',
      maxWorkers: 2,
      testTimeout: 10 * LIMIT_MS,
    };
    const program = join(import.meta.dirname, 'jest.mjs');
    run = spawn(process.execPath, [program, '--config', JSON.stringify(config)], { stdio: 'ignore' });
    const ended = once(run, 'exit');
    const file = join(folder, 'pid');
    await until(() => existsSync(file), LIMIT_MS);
    const pid = Number(readFileSync(file, 'utf8'));
    expect(startOf(pid)).toBeDefined();
    run.kill('SIGTERM');
    await ended;
    await until(() => startOf(pid) === undefined, LIMIT_MS);
  },
  3 * LIMIT_MS,
);
