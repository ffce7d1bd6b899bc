import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TARGETS, parseTestArguments, suitesOfTarget, targetOfSuite } from './test-targets.mjs';

const ROOT = join(import.meta.dirname, '../../..');

const SUITES = {
  clients: [
    '/a/tools/clients/src/python.clients.e2e.spec.ts',
    '/a/apps/standalone/e2e/documentation/docs.browser.e2e.spec.ts',
  ],
  bench: [
    '/a/bench/src/distributed/bench.distributed.e2e.spec.ts',
    '/a/apps/standalone/e2e/transport/large-values.bench.e2e.spec.ts',
  ],
  faults: [
    '/a/tools/faults/src/distributed/poison-run.distributed.e2e.spec.ts',
    '/a/apps/standalone/e2e/faults/task-crash.faults.e2e.spec.ts',
  ],
  distributed: ['/a/tools/distributed/src/parity.distributed.e2e.spec.ts'],
  suites: ['/a/bench/src/load/latencies.spec.ts', '/a/apps/standalone/e2e/faults/faults.e2e.spec.ts'],
};

test('each suite belongs to one target', () => {
  const all = Object.values(SUITES).flat();
  for (const [target, paths] of Object.entries(SUITES)) {
    expect(paths.map(targetOfSuite)).toEqual(paths.map(() => target));
    expect(suitesOfTarget(all, target)).toEqual(paths);
  }
  expect(suitesOfTarget(all, 'all')).toEqual(all);
});

test('no argument means the default target, a path the suites of any', () => {
  expect(parseTestArguments([])).toEqual({ target: 'suites', rest: [] });
  expect(parseTestArguments(['libs/domain'])).toEqual({ target: 'all', rest: ['libs/domain'] });
  expect(parseTestArguments(['--target=faults', '-t', 'races'])).toEqual({
    target: 'faults',
    rest: ['-t', 'races'],
  });
});

test('an unknown target is rejected with the list of targets', () => {
  expect(() => parseTestArguments(['--target=benches'])).toThrow(
    '--target is suites, clients, bench, faults, distributed, all, not "benches"',
  );
});

test('each target but the default one has a script of its own, and CI runs them all', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  for (const target of TARGETS.filter((name) => name !== 'suites')) {
    expect(scripts[`test:${target}`]).toBe(`exec node tools/bootstrap/test.mjs --target=${target}`);
  }
  expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toMatch(/^exec npm test -- --target=all$/m);
});
