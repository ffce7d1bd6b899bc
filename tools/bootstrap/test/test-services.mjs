// The servers for the suites of a run: those that the environment names, and throw-away ones for the rest.
import { spawnSync } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildIfNeeded } from '../build/build-if-needed.mjs';
import { DIST, ROOT, say } from '../workspace/workspace.mjs';

const STACK = 'tools/local-stack/index';
const CLIENTS = 'tools/clients/index';

/** `suites` need the server; `start` resolves with the value for the suites' `variable`, and with `stop`. */
const SERVICES = [
  {
    name: 'PostgreSQL',
    variable: 'STRATALOG_TEST_DATABASE_URL',
    suites: /\.(int|e2e)\.spec\.ts$/,
    start: async () => {
      const { startPostgres } = await localStack();
      const { url, stop } = await startPostgres();
      return { value: url, stop };
    },
  },
  {
    name: 'Kafka',
    variable: 'STRATALOG_TEST_KAFKA_BROKERS',
    suites: /\.(kafka\.int|distributed\.e2e)\.spec\.ts$/,
    mayBeMissing: true,
    start: async () => {
      const { startKafka } = await localStack();
      const kafka = await startKafka();
      return { value: kafka.brokers.join(','), stop: kafka.stop };
    },
  },
  {
    name: 'OpenSearch',
    variable: 'STRATALOG_TEST_ELASTICSEARCH_URL',
    suites: /\.(engine\.int|distributed\.e2e)\.spec\.ts$/,
    mayBeMissing: true,
    start: () => startEngine('opensearch'),
  },
  {
    name: 'Elasticsearch 8',
    variable: 'STRATALOG_TEST_ELASTICSEARCH_8_URL',
    suites: /\.engine\.int\.spec\.ts$/,
    mayBeMissing: true,
    start: () => startEngine('elasticsearch'),
  },
  {
    // Each suite starts its own; this entry only locates the program.
    name: 'Chromium',
    variable: 'STRATALOG_TEST_CHROMIUM',
    suites: /\.browser(\.distributed)?\.e2e\.spec\.ts$/,
    mayBeMissing: true,
    start: async () => ({ value: findChromium(), stop: () => undefined }),
  },
  {
    // No server either: the folder with each installed release of the client.
    name: 'The Python client',
    variable: 'STRATALOG_TEST_PYTHON_CLIENTS',
    suites: /\.clients\.e2e\.spec\.ts$/,
    mayBeMissing: true,
    start: preparePythonClients,
  },
];

async function preparePythonClients() {
  const { preparePythonEnvironments } = await bundle(CLIENTS);
  const environments = await preparePythonEnvironments({ log: say });
  return { value: JSON.stringify(environments), stop: () => undefined };
}

async function startAndSay(service) {
  const startedAt = Date.now();
  const started = await service.start();
  say(`${service.name}: ready after ${((Date.now() - startedAt) / 1_000).toFixed(1)} s`);
  return started;
}

/** Returns the path of the installed Chromium. */
export function findChromium() {
  // The headless shell has no window, so it runs no second page for the frame of one.
  const programs = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];
  const found = programs.find((program) => spawnSync(program, ['--version']).status === 0);
  if (found === undefined)
    throw new Error('none is installed. Install it (Debian, Ubuntu: apt-get install chromium).');
  return spawnSync('sh', ['-c', `command -v ${found}`], { encoding: 'utf8' }).stdout.trim();
}

async function startEngine(kind) {
  const { startSearchEngine } = await localStack();
  const engine = await startSearchEngine({ kind });
  return { value: engine.url, stop: engine.stop };
}

function localStack() {
  return bundle(STACK);
}

function bundle(name) {
  return import(pathToFileURL(join(DIST, `${name}.js`)).href);
}

/**
 * Starts the servers that `suites` (paths) need and `env` does not name. Resolves with `env`, the variables
 * to add; `leftOut`, the suites whose server is unavailable, each with the reason; and `stop`.
 */
export async function startTestServices(suites, env) {
  const needed = SERVICES.filter(
    (service) => env[service.variable] === undefined && suites.some((suite) => service.suites.test(suite)),
  );
  if (needed.length > 0) await buildIfNeeded([STACK, CLIENTS, 'tools/embedded-server']);
  const outcomes = await Promise.allSettled(needed.map(startAndSay));
  const started = outcomes.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const stop = async () => {
    await Promise.all(started.map((server) => server.stop()));
  };
  const failures = needed.flatMap((service, at) =>
    outcomes[at].status === 'rejected' ? [{ service, error: outcomes[at].reason }] : [],
  );
  const fatal = failures.find(({ service }) => service.mayBeMissing !== true);
  if (fatal !== undefined) {
    await stop();
    throw fatal.error;
  }
  return {
    env: Object.fromEntries(
      needed.flatMap(({ variable }, at) =>
        outcomes[at].status === 'fulfilled' ? [[variable, outcomes[at].value.value]] : [],
      ),
    ),
    leftOut: suites.flatMap((suite) => {
      const failure = failures.find(({ service }) => service.suites.test(suite));
      return failure === undefined
        ? []
        : [{ suite, why: `${failure.service.name} could not be started: ${failure.error.message}` }];
    }),
    stop,
  };
}

/** Records suites that are left out, for the end of the run. */
export function noteLeftOut(leftOut, file) {
  for (const { suite, why } of leftOut) {
    appendFileSync(file, `${relative(ROOT, suite)}: ${why.replaceAll('\n', ' ')}\n`);
  }
}
