import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { jvmArguments } from './class-archive';
import { portsOf } from '../processes/free-ports';
import { findJava } from './java';
import { kafkaProperties } from './kafka-settings';
import { resolveClassPath, type Artifacts } from '../processes/maven-artifacts';
import {
  openServer,
  type Launch,
  type RunningServer,
  type ServerOptions,
  type ServerPlace,
} from '../processes/running-server';

export interface KafkaOptions extends ServerOptions {
  /** Broker properties that override the defaults. */
  readonly properties?: Readonly<Record<string, string>>;
  readonly heapMb?: number;
}

interface KafkaAddress {
  /** `host:port` of each broker; there is one. */
  readonly brokers: readonly string[];
}

export type RunningKafka = RunningServer & KafkaAddress;

/** slf4j-simple lets the broker log to standard error; without a binding it logs nothing. */
const ARTIFACTS: Artifacts = {
  name: 'kafka',
  coordinates: ['org.apache.kafka:kafka_2.13:4.3.1', 'org.slf4j:slf4j-simple:1.7.36'],
};
const HEAP_MB = 256;
const run = promisify(execFile);

/**
 * Starts one Kafka 4.3 broker in KRaft mode without authentication on 127.0.0.1. Topics are not created
 * automatically. A write is acknowledged from the page cache: it survives a killed broker, not a power cut.
 *
 * **Errors**: rejects with the required installation when Java or Maven are missing, and as `openServer`
 * does.
 */
export function startKafka(options: KafkaOptions = {}): Promise<RunningKafka> {
  return openServer('kafka', options, (place) => prepareKafka(place, options));
}

async function prepareKafka(
  place: ServerPlace,
  { properties, heapMb = HEAP_MB }: KafkaOptions,
): Promise<Launch & { facts: KafkaAddress }> {
  const { folder } = place;
  const java = await findJava();
  const classPath = await resolveClassPath(ARTIFACTS, place);
  const [port = 0, controllerPort = 0] = await portsOf(folder, 2);
  const file = join(folder, 'server.properties');
  const dataDir = join(folder, 'data');
  writeFileSync(file, kafkaProperties({ port, controllerPort, dataDir }, properties));
  const jvm = (): ReturnType<typeof jvmArguments> => jvmArguments('kafka', classPath, java, place);
  if (!existsSync(join(dataDir, 'meta.properties'))) {
    const format = ['kafka.tools.StorageTool', 'format', '--standalone', '-t', clusterId(), '-c', file];
    await run(java.command, [...jvm().command, '-Xmx128m', '-cp', classPath, ...format]);
  }
  return {
    facts: { brokers: [`127.0.0.1:${port}`] },
    command: () => ({
      name: 'Kafka',
      command: java.command,
      args: [
        ...jvm().server,
        `-Xmx${heapMb}m`,
        '-Dorg.slf4j.simpleLogger.defaultLogLevel=info',
        ...['-cp', classPath, 'kafka.Kafka', file],
      ],
      logFile: join(folder, 'kafka.log'),
      // An open port would not be enough: it is bound before the broker can serve.
      ready: /Kafka Server started/,
    }),
    afterStop: () => {
      jvm().keepArchive();
    },
  };
}

/** 128 bits as Kafka writes them. An id that starts with a dash would be taken for an option. */
function clusterId(): string {
  for (;;) {
    const id = randomBytes(16).toString('base64url');
    if (!id.startsWith('-')) return id;
  }
}
