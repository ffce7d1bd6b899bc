import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let temporary: string;

beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), 'stratalog-bootstrap-'));
});

afterEach(() => {
  rmSync(temporary, { recursive: true, force: true });
});

/**
 * Runs `npm test` with arguments, as on a machine that has no program but Node, and without the servers of
 * the surrounding run.
 */
function runTests(...args: readonly string[]) {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('STRATALOG_TEST_'));
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, 'test.mjs'), ...args],
    {
      encoding: 'utf8',
      env: {
        ...Object.fromEntries(inherited),
        // A given server is not started, and these suites never connect to it.
        STRATALOG_TEST_DATABASE_URL: 'postgres://database.invalid/test',
        TMPDIR: temporary,
        PATH: join(tmpdir(), 'nothing-here'),
        JAVA_HOME: '',
        CI: '',
      },
    },
  );
  return { status, stdout, stderr };
}

test('a run announces its work, counts its tests, and leaves nothing behind', () => {
  const { status, stdout, stderr } = runTests('tools/bootstrap/test/suite-order');
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(/^Tests: \d+ passed, 0 failed$/);
  expect(stderr).toMatch(/^stratalog: finding suites/m);
  expect(stderr).toMatch(/^stratalog: running 1 suites/m);
  expect(stderr).toContain('nothing left in the clone: ok');
  expect(status).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});

test('suites that could not run are left out by name and number, and a run of nothing passes nothing', () => {
  const { status, stdout, stderr } = runTests('libs/adapters/kafka/src/cluster/sasl.kafka.int.spec.ts');
  expect(stderr).toMatch(
    /libs\/adapters\/kafka\/src\/cluster\/sasl\.kafka\.int\.spec\.ts: Kafka could not be started/,
  );
  expect(stderr).toContain('Left out: 1 suites that could not run');
  expect(stdout).toContain('Tests: none ran');
  expect(stdout).not.toContain('0 passed');
  expect(status).toBe(1);
});

test('a path that matches no suite is no failed test', () => {
  const { status, stdout, stderr } = runTests('no/such/suite');
  expect(stdout + stderr).toContain('No tests found');
  expect(stdout).toContain('Tests: none ran');
  expect(stdout).not.toMatch(/\d failed/);
  expect(status).toBe(1);
});
