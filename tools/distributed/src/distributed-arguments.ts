import { parseArgs } from 'node:util';
import type { Usage } from '@stratalog/local-stack';
import { givenSetting } from '@stratalog/runtime';

export interface Scale {
  readonly ingest: number;
  readonly writer: number;
  readonly indexer: number;
  readonly query: number;
}

export type DistributedArguments =
  | {
      readonly kind: 'start';
      readonly scale: Scale;
      readonly dataDir: string | undefined;
      /** The address on which the proxy listens. */
      readonly host: string;
      readonly port: number;
      /** Whether the servers run in containers; undefined: where a Docker engine answers. */
      readonly docker: boolean | undefined;
    }
  | Usage;

export const HELP = `Usage: npm run start:distributed -- [options]

Starts a distributed catalog on this machine: Kafka, PostgreSQL and a search engine (of KAFKA_BROKERS, DATABASE_URL and
ELASTICSEARCH_URL those that are set are used), the six apps, and a proxy in front of them. Ctrl-C stops them all.

  --ingests N      instances of the ingest app (1)
  --writers N      of the writer (1)
  --indexers N     of the indexer (1)
  --queries N      of the query app (1)
  --docker         the servers in containers: the default where a Docker engine answers
  --no-docker      the servers as child processes
  --data DIR       keeps the data in this folder (STRATALOG_DATA_DIR); without it they are thrown away at the end
  --port PORT      of the proxy; 0 picks a free one (STRATALOG_PORT, else 8080)
  -h, --help       print this

The proxy listens on STRATALOG_HOST (127.0.0.1). Every call needs the operator's token, unless STRATALOG_AUTH says otherwise:
STRATALOG_TOKEN, else one that is made at the first start and kept in the data folder.
Other settings go to every app as they are. Needs a Docker engine, or Java 17 or later and Maven.
`;

const MAX_INSTANCES = 16;
const COUNTS = { ingests: 'ingest', writers: 'writer', indexers: 'indexer', queries: 'query' } as const;

/** Parses the arguments; a missing option falls back to the setting of the same meaning. */
export function parseDistributedArguments(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): DistributedArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        ingests: { type: 'string', default: '1' },
        writers: { type: 'string', default: '1' },
        indexers: { type: 'string', default: '1' },
        queries: { type: 'string', default: '1' },
        data: { type: 'string' },
        docker: { type: 'boolean' },
        port: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return { kind: 'help' };
    if (values.data === '') return { kind: 'usage', fault: '--data is empty; allowed: a folder' };
    const counts = Object.entries(COUNTS).map(([option, app]) => {
      return [
        app,
        integerOf(`--${option}`, values[option as keyof typeof COUNTS], 1, MAX_INSTANCES),
      ] as const;
    });
    return {
      kind: 'start',
      scale: Object.fromEntries(counts) as unknown as Scale,
      dataDir: values.data ?? givenSetting(environment, 'STRATALOG_DATA_DIR'),
      host: givenSetting(environment, 'STRATALOG_HOST') ?? '127.0.0.1',
      port: portOf(values.port, givenSetting(environment, 'STRATALOG_PORT')),
      docker: values.docker,
    };
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}

function portOf(option: string | undefined, setting: string | undefined): number {
  return option === undefined
    ? integerOf('STRATALOG_PORT', setting ?? '8080', 0, 65_535)
    : integerOf('--port', option, 0, 65_535);
}

function integerOf(name: string, text: string, minimum: number, maximum: number): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw new RangeError(
    `${name} is "${text}"; allowed: an integer from ${String(minimum)} to ${String(maximum)}`,
  );
}
