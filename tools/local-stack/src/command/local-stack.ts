import { startEngineContainer, startKafkaContainer, startPostgresContainer } from '../docker/containers';
import { startKafka } from '../servers/kafka';
import { startPostgres } from '../servers/postgres';
import type { ServerOptions } from '../processes/running-server';
import { startSearchEngine, type SearchEngineKind } from '../servers/search-engine';
import { whetherInDocker } from '../docker/whether-in-docker';

/** The variables from which a catalog reads the addresses. */
export const ADDRESSES = ['KAFKA_BROKERS', 'ELASTICSEARCH_URL', 'DATABASE_URL'] as const;
export type Addresses = Readonly<Record<(typeof ADDRESSES)[number], string>>;

export interface LocalStackOptions extends ServerOptions {
  /** Addresses of running servers: none of their kind is started. An empty one counts as none. */
  readonly given?: { readonly [name in keyof Addresses]?: string | undefined };
  readonly engine?: SearchEngineKind;
  /**
   * In containers or as child processes; by default as kept data were made, else in containers where a Docker
   * engine answers.
   */
  readonly inDocker?: boolean | undefined;
}

/** All stores of a distributed catalog. */
export interface LocalStack {
  readonly addresses: Addresses;
  /** Stops the started servers. */
  stop(): Promise<void>;
  /** Calls `listener` with the name of an address whose server has ended by itself, and the reason. */
  onExit(listener: (name: keyof Addresses, reason: string) => void): void;
}

interface Part {
  readonly address: string;
  stop(): Promise<void>;
  onExit(listener: (reason: string) => void): void;
}

/**
 * Starts Kafka, a search engine and PostgreSQL side by side, each unless its address is given.
 *
 * **Errors**: rejects with the first reason when one does not start; the others are stopped then.
 */
export async function startLocalStack(options: LocalStackOptions = {}): Promise<LocalStack> {
  const { given = {}, engine = 'opensearch' } = options;
  const givenOf = (name: keyof Addresses): string | undefined =>
    given[name] === '' ? undefined : given[name];
  const isAllGiven = ADDRESSES.every((name) => givenOf(name) !== undefined);
  const inDocker = !isAllGiven && (await whetherInDocker(options.dataDir, options.inDocker));
  const starts = inDocker ? containers(options, engine) : processes(options, engine);
  const outcomes = await Promise.allSettled(
    ADDRESSES.map((name) => {
      const address = givenOf(name);
      return address === undefined ? starts[name]() : existing(address);
    }),
  );
  const parts = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
  const stop = async (): Promise<void> => {
    await Promise.all(parts.map((part) => part.stop()));
  };
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined || options.signal?.aborted === true) {
    await stop();
    options.signal?.throwIfAborted();
    throw failed?.reason as Error;
  }
  const addressOf = (name: keyof Addresses): string => parts[ADDRESSES.indexOf(name)]?.address ?? '';
  return {
    addresses: {
      KAFKA_BROKERS: addressOf('KAFKA_BROKERS'),
      ELASTICSEARCH_URL: addressOf('ELASTICSEARCH_URL'),
      DATABASE_URL: addressOf('DATABASE_URL'),
    },
    stop,
    onExit: (listener) => {
      ADDRESSES.forEach((name, at) => {
        parts[at]?.onExit((reason) => {
          listener(name, reason);
        });
      });
    },
  };
}

type Starts = Record<keyof Addresses, () => Promise<Part>>;

function processes(options: ServerOptions, engine: SearchEngineKind): Starts {
  return {
    KAFKA_BROKERS: async () => {
      const kafka = await startKafka(options);
      return { ...partOf(kafka), address: kafka.brokers.join(',') };
    },
    ELASTICSEARCH_URL: async () => {
      const search = await startSearchEngine({ ...options, kind: engine });
      return { ...partOf(search), address: search.url };
    },
    DATABASE_URL: async () => {
      const postgres = await startPostgres(options);
      return { ...partOf(postgres), address: postgres.url };
    },
  };
}

function containers(options: ServerOptions, engine: SearchEngineKind): Starts {
  return {
    KAFKA_BROKERS: () => startKafkaContainer(options),
    ELASTICSEARCH_URL: () => startEngineContainer(engine, options),
    DATABASE_URL: () => startPostgresContainer(options),
  };
}

function partOf(server: Omit<Part, 'address'>): Omit<Part, 'address'> {
  return {
    stop: () => server.stop(),
    onExit: (listener) => {
      server.onExit(listener);
    },
  };
}

function existing(address: string): Promise<Part> {
  return Promise.resolve({ address, stop: () => Promise.resolve(), onExit: () => undefined });
}
