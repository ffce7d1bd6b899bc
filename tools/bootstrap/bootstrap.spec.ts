import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'stratalog-bootstrap-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('a command of the command line prints only its output on stdout, built before or not', () => {
  const cli = join(import.meta.dirname, 'cli.mjs');
  for (let round = 0; round < 2; round += 1) {
    const run = spawnSync(process.execPath, [cli, '--help'], { encoding: 'utf8' });
    expect(run.stdout).toMatch(/^Usage: /);
    expect(run.status).toBe(0);
  }
});

/** Runs `declareNotRun` as a suite would, in an environment of its own. */
function declare(missing: string, ci: string) {
  const file = join(folder, 'not-run.txt');
  const script = `
    await import(${JSON.stringify(join(import.meta.dirname, 'jest/not-run.mjs'))});
    declareNotRun({ what: 'the loads', why: 'no files', missing: ${JSON.stringify(missing)} });
  `;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, STRATALOG_NOT_RUN_FILE: file, CI: ci },
  });
  return {
    failed: run.status !== 0,
    stderr: run.stderr,
    said: run.status === 0 ? readFileSync(file, 'utf8') : '',
  };
}

test('skipped suites are reported with the reason; in CI a missing service fails', () => {
  expect(declare('service', '')).toMatchObject({ failed: false, said: 'the loads: no files\n' });
  expect(declare('material', 'true')).toMatchObject({ failed: false });
  const inCi = declare('service', 'true');
  expect(inCi.failed).toBe(true);
  expect(inCi.stderr).toContain('the loads could not run: no files');
});
