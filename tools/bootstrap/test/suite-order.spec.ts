import { expect, test } from '@jest/globals';
import { orderSuites } from './suite-order.mjs';

const MODEL_LOAD = '/here/apps/cli/src/commands/model/model-load.e2e.spec.ts';
const LARGE_VALUES = '/here/apps/standalone/e2e/transport/large-values.bench.e2e.spec.ts';
const CLIENTS = '/here/tools/clients/src/python.clients.e2e.spec.ts';
const PARITY = '/here/tools/distributed/src/parity.distributed.e2e.spec.ts';
const TABLES = '/here/libs/adapters/postgres/src/aspect-store/postgres.int.spec.ts';
const UNIT = '/here/libs/domain/src/entities/urn.spec.ts';

test('the long suites start first, whatever order jest would take', () => {
  const tests = [UNIT, TABLES, PARITY, CLIENTS].map((path) => ({ path }));
  expect(orderSuites(tests)).toEqual({
    together: [CLIENTS, PARITY, TABLES, UNIT].map((path) => ({ path })),
    alone: [],
  });
});

test('suites of one kind stay in the order of jest, which knows their last durations', () => {
  const paths = ['/here/libs/a.spec.ts', '/here/libs/c.spec.ts', '/here/libs/b.spec.ts'];
  expect(orderSuites(paths.map((path) => ({ path }))).together.map(({ path }) => path)).toEqual(paths);
});

test('suites that measure a time run last, the longest first', () => {
  const paths = [MODEL_LOAD, UNIT, LARGE_VALUES].map((path) => ({ path }));
  expect(orderSuites(paths)).toEqual({
    together: [{ path: UNIT }],
    alone: [{ path: LARGE_VALUES }, { path: MODEL_LOAD }],
  });
});
