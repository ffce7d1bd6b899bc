import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { containerName, docker, startContainer, type Container } from './docker';
import { ENGINE_SETTINGS } from '../servers/engine-settings';
import { kafkaSettings } from '../servers/kafka-settings';
import { NOT_DURABLE, SETTINGS } from '../servers/postgres-settings';
import type { RunningServer, ServerOptions } from '../processes/running-server';
import type { SearchEngineKind } from '../servers/search-engine';
import type { ServerProcess } from '../processes/server-process';

/** The same versions as in `docker-compose.yml`, which pins their digests. */
export const IMAGES = {
  kafka: 'apache/kafka:4.3.1',
  opensearch: 'opensearchproject/opensearch:2.19.1',
  elasticsearch: 'elasticsearch:8.19.21',
  postgres: 'postgres:18.4',
} as const;

type Contained = RunningServer & { readonly address: string };

const HEAPS = { kafka: '-Xms64m -Xmx320m', engine: '-Xms512m -Xmx512m' };
const KAFKA_PORT = 9_092;
const ENGINE_PORT = 9_200;
const POSTGRES_PORT = 5_432;
const LOOK_MS = 100;
const READY_LIMIT_MS = 120_000;

export async function startKafkaContainer(options: ServerOptions): Promise<Contained> {
  const server = await startContainer('kafka', options, kafkaContainer);
  return Object.assign(server, { address: `127.0.0.1:${server.port}` });
}

/** The image reads each setting from the variable of its name. */
export function kafkaContainer(port: number): Container {
  const place = {
    listen: `PLAINTEXT://:${KAFKA_PORT},CONTROLLER://127.0.0.1:9093,INSIDE://127.0.0.1:9094`,
    address: `127.0.0.1:${port}`,
    controller: '127.0.0.1:9093',
    dataDir: '/var/lib/kafka/data',
  };
  const settings = {
    ...kafkaSettings(place),
    // The broker connects to itself too, and from inside the published port is unreachable.
    'advertised.listeners': `PLAINTEXT://${place.address},INSIDE://127.0.0.1:9094`,
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT,INSIDE:PLAINTEXT',
    'inter.broker.listener.name': 'INSIDE',
  };
  const named = Object.entries<string | number>(settings).map(([name, value]): [string, string] => [
    `KAFKA_${name.toUpperCase().replaceAll('.', '_')}`,
    String(value),
  ]);
  return {
    image: IMAGES.kafka,
    port: KAFKA_PORT,
    dataPath: '/var/lib/kafka/data',
    environment: { ...Object.fromEntries(named), KAFKA_HEAP_OPTS: HEAPS.kafka },
    ready: /Kafka Server started/,
  };
}

export async function startEngineContainer(
  kind: SearchEngineKind,
  options: ServerOptions,
): Promise<Contained> {
  const server = await startContainer(kind, options, (port) => engineContainer(kind, port));
  return Object.assign(server, { address: `http://127.0.0.1:${server.port}` });
}

export function engineContainer(kind: SearchEngineKind, port: number): Container {
  const settings = Object.entries(ENGINE_SETTINGS).map(([name, value]): [string, string] => [
    name,
    String(value),
  ]);
  const own =
    kind === 'opensearch'
      ? {
          OPENSEARCH_JAVA_OPTS: HEAPS.engine,
          DISABLE_SECURITY_PLUGIN: 'true',
          DISABLE_INSTALL_DEMO_CONFIG: 'true',
          DISABLE_PERFORMANCE_ANALYZER_AGENT_CLI: 'true',
        }
      : { ES_JAVA_OPTS: HEAPS.engine, 'xpack.security.enabled': 'false' };
  return {
    image: IMAGES[kind],
    port: ENGINE_PORT,
    dataPath: `/usr/share/${kind}/data`,
    environment: { ...Object.fromEntries(settings), ...own },
    // An HTTP query checks whether it is ready.
    ready: /^/,
    check: untilAnswered(async () => {
      const health = await fetch(
        `http://127.0.0.1:${port}/_cluster/health?wait_for_status=yellow&timeout=10s`,
      );
      if (!health.ok) throw new Error(`${kind} says ${health.status}: ${await health.text()}`);
    }),
  };
}

export async function startPostgresContainer(options: ServerOptions): Promise<Contained> {
  let password = '';
  const server = await startContainer('postgresql', options, (_, { folder }) => {
    password = passwordIn(folder);
    const name = containerName('postgresql', folder);
    return postgresContainer({ name, password, isKept: options.dataDir !== undefined });
  });
  return Object.assign(server, {
    address: `postgres://stratalog:${password}@127.0.0.1:${server.port}/stratalog`,
  });
}

export function postgresContainer({
  name,
  password,
  isKept,
}: {
  readonly name: string;
  readonly password: string;
  readonly isKept: boolean;
}): Container {
  const settings = Object.entries(isKept ? SETTINGS : { ...SETTINGS, ...NOT_DURABLE });
  return {
    image: IMAGES.postgres,
    port: POSTGRES_PORT,
    dataPath: '/var/lib/postgresql',
    environment: {
      POSTGRES_USER: 'stratalog',
      POSTGRES_DB: 'stratalog',
      POSTGRES_PASSWORD: password,
      POSTGRES_INITDB_ARGS: '--encoding=UTF8 --data-checksums',
    },
    options: ['--shm-size', '256m'],
    command: ['postgres', ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    // The image starts the server once to prepare it, and then finally.
    ready: /^/,
    check: untilAnswered(async () => {
      await docker('exec', name, 'pg_isready', '--host=127.0.0.1', '--username=stratalog');
    }),
  };
}

/** The database keeps the password of its first start. */
function passwordIn(folder: string): string {
  const file = join(folder, 'password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(16).toString('hex'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/**
 * Repeats a query until it succeeds. **Errors**: when the server ends before, or takes longer than two
 * minutes.
 */
function untilAnswered(ask: () => Promise<void>): (process: ServerProcess) => Promise<void> {
  return async ({ ended }) => {
    let end: string | undefined;
    void ended.then((how) => (end = how));
    for (const until = Date.now() + READY_LIMIT_MS; ;) {
      try {
        await ask();
        return;
      } catch (error) {
        if (end !== undefined) throw new Error(`it has ended: ${end}`, { cause: error });
        if (Date.now() > until) throw error;
        await pause(LOOK_MS);
      }
    }
  };
}
