import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { PythonEnvironment } from './python-environments';
import type { Result } from './step';
import { tryClient } from './try-client';

/**
 * Some dozen starts of Python, each of which reads thousands of files, on a machine that runs other suites as
 * well.
 */
const LIMIT_MS = limitMs(600_000);
const BUILD = join(import.meta.dirname, '../../bootstrap/build.mjs');

describe('the Python client', () => {
  beforeAll(() => {
    const built = spawnSync(process.execPath, [BUILD, 'apps/standalone/main'], { encoding: 'utf8' });
    expect([built.status, built.stderr]).toEqual([0, expect.any(String)]);
  });

  const environments = JSON.parse(process.env.STRATALOG_TEST_PYTHON_CLIENTS ?? '[]') as PythonEnvironment[];

  it.each(environments)(
    'the Python client of release $release does everything',
    async (environment) => {
      const results: Result[] = [];
      await tryClient(environment, { onResult: (result) => results.push(result) });
      expect(results.length).toBeGreaterThan(10);
      expect(results.filter(({ failure }) => failure !== undefined)).toEqual([]);
    },
    LIMIT_MS,
  );
});
