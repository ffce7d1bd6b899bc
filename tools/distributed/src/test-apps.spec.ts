import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { until } from '@stratalog/testkit';
import { startOf } from '../../bootstrap/workspace/only-one.mjs';
import { ROOT, buildBundles } from '@stratalog/harness';

const LIMIT_MS = limitMs(180_000);

interface Processes {
  /** The process that runs the suite. */
  readonly suite: number;
  /** The app that the suite started. */
  readonly app: number;
}

describe('the apps of a suite', () => {
  let folder: string;
  let run: ChildProcess;
  beforeAll(() => {
    buildBundles();
  }, LIMIT_MS);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), `stratalog-test-${String(process.pid)}-apps-`));
  });
  afterEach(() => {
    run.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const startRun = async (): Promise<Processes> => {
    const file = join(folder, 'processes');
    const suite = [`--roots=${import.meta.dirname}`, '--testMatch=**/starts-an-app.fixture.ts'];
    const args = [join(ROOT, 'tools/bootstrap/jest.mjs'), ...suite, '--reporters=default'];
    const env = { ...process.env, PROCESSES_FILE: file };
    run = spawn(process.execPath, args, { env, stdio: 'ignore' });
    await until(() => run.exitCode !== null || existsSync(file), LIMIT_MS);
    return JSON.parse(readFileSync(file, 'utf8')) as Processes;
  };

  it.each([
    ['the process of the suite is killed', ({ suite }: Processes) => process.kill(suite, 'SIGKILL')],
    ['the run is killed', () => run.kill('SIGKILL')],
    ['the run is told to stop', () => run.kill('SIGTERM')],
    ['the terminal of the run is closed', () => run.kill('SIGHUP')],
  ])(
    'end when %s',
    async (_how, end) => {
      const processes = await startRun();
      expect(startOf(processes.app)).toBeDefined();
      end(processes);
      await until(() => startOf(processes.app) === undefined, LIMIT_MS);
      await until(() => startOf(processes.suite) === undefined, LIMIT_MS);
    },
    2 * LIMIT_MS,
  );
});
