import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface Services {
  readonly env: Readonly<Record<string, string>>;
  readonly leftOut: readonly { readonly suite: string; readonly why: string }[];
}

const GIVEN = {
  STRATALOG_TEST_DATABASE_URL: 'postgres://database.invalid/test',
  STRATALOG_TEST_KAFKA_BROKERS: 'broker.invalid:9092',
  STRATALOG_TEST_ELASTICSEARCH_URL: 'http://engine.invalid',
};

/** The services of a run on a machine that has no program but Node. */
function servicesFor(suites: readonly string[], given: Readonly<Record<string, string>>): Services {
  const script = `
    const { startTestServices } = await import(${JSON.stringify(join(import.meta.dirname, 'test-services.mjs'))});
    const { env, leftOut, stop } = await startTestServices(${JSON.stringify(suites)}, ${JSON.stringify(given)});
    console.log(JSON.stringify({ env, leftOut }));
    await stop();
  `;
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
    encoding: 'utf8',
    env: { ...process.env, PATH: join(tmpdir(), 'nothing-here'), JAVA_HOME: '' },
  });
  expect([run.status, run.stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(run.stdout) as Services;
}

test('servers that are given are used as they are', () => {
  const suites = [
    '/a/x.int.spec.ts',
    '/a/x.kafka.int.spec.ts',
    '/a/x.distributed.e2e.spec.ts',
    '/a/x.spec.ts',
  ];
  expect(servicesFor(suites, GIVEN)).toEqual({ env: {}, leftOut: [] });
});

test('suites whose server cannot be had are left out with the reason, and no others', () => {
  const { STRATALOG_TEST_DATABASE_URL } = GIVEN;
  const suites = [
    '/a/x.int.spec.ts',
    '/a/x.kafka.int.spec.ts',
    '/a/x.engine.int.spec.ts',
    '/a/x.browser.e2e.spec.ts',
    '/a/x.clients.e2e.spec.ts',
    '/a/x.e2e.spec.ts',
  ];
  const { env, leftOut } = servicesFor(suites, { STRATALOG_TEST_DATABASE_URL });
  expect(env).toEqual({});
  expect(leftOut).toEqual([
    { suite: '/a/x.kafka.int.spec.ts', why: expect.stringMatching(/^Kafka could not .* Install Java 17/) },
    {
      suite: '/a/x.engine.int.spec.ts',
      why: expect.stringMatching(/^OpenSearch could not .* Install Java 17/),
    },
    {
      suite: '/a/x.browser.e2e.spec.ts',
      why: expect.stringMatching(
        /^Chromium could not .* Install it \(Debian, Ubuntu: apt-get install chromium\)/,
      ),
    },
    {
      suite: '/a/x.clients.e2e.spec.ts',
      why: expect.stringMatching(/^The Python client could not .* Install Python 3/),
    },
  ]);
});
