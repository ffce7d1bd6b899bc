import { folderName, integerFrom, parseTool, type Usage } from '@stratalog/local-stack';
import { givenSetting } from '@stratalog/runtime';

export interface Scale {
  readonly ingest: number;
  readonly writer: number;
  readonly indexer: number;
  readonly query: number;
}

export interface DistributedStart {
  readonly kind: 'start';
  readonly scale: Scale;
  readonly dataDir: string | undefined;
  /** The address on which the proxy listens. */
  readonly host: string;
  readonly port: number;
  /** True when the servers run in containers; undefined: where a Docker engine answers. */
  readonly docker: boolean | undefined;
}

interface Options {
  readonly ingests: number;
  readonly writers: number;
  readonly indexers: number;
  readonly queries: number;
  readonly data?: string;
  readonly port?: number;
  readonly docker?: boolean;
}

const parsePort = integerFrom(0, 65_535);

const DESCRIPTION =
  'Starts a distributed catalog on this machine: Kafka, PostgreSQL and a search engine (of KAFKA_BROKERS, DATABASE_URL and ELASTICSEARCH_URL those that are set are used), the six apps, and a proxy in front of them. Ctrl-C stops them all.';
const SETTINGS = `
The proxy listens on STRATALOG_HOST (127.0.0.1). Every call needs a token, unless STRATALOG_AUTH says otherwise. The operator's is STRATALOG_TOKEN, else one that is made at the first start and kept in the data folder.
Other settings go to every app as they are. Needs a Docker engine, or Java 17 or later and Maven.`;

/** Parses the arguments; a missing option falls back to the setting of the same meaning. */
export function parseDistributedArguments(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): DistributedStart | Usage {
  return parseTool<DistributedStart>(args, (tool, choose) => {
    const instances = integerFrom(1, 16);
    tool
      .name('npm run start:distributed --')
      .description(DESCRIPTION)
      .option('--ingests <n>', 'instances of the ingest app', instances, 1)
      .option('--writers <n>', 'of the writer', instances, 1)
      .option('--indexers <n>', 'of the indexer', instances, 1)
      .option('--queries <n>', 'of the query app', instances, 1)
      .option('--docker', 'the servers in containers: the default where a Docker engine answers')
      .option('--no-docker', 'the servers as child processes')
      .option(
        '--data <dir>',
        'keep the data in this folder (STRATALOG_DATA_DIR), else delete them',
        folderName,
      )
      .option('--port <port>', 'of the proxy; 0 picks a free one (STRATALOG_PORT, else 8080)', parsePort)
      .addHelpText('after', SETTINGS);
    const portOf = (option: number | undefined): number => {
      const setting = givenSetting(environment, 'STRATALOG_PORT');
      if (option !== undefined || setting === undefined) return option ?? 8080;
      try {
        return parsePort(setting);
      } catch (error) {
        return tool.error(`error: STRATALOG_PORT is "${setting}". ${(error as Error).message}`);
      }
    };
    tool.action(({ ingests, writers, indexers, queries, data, port, docker }: Options) => {
      choose({
        kind: 'start',
        scale: { ingest: ingests, writer: writers, indexer: indexers, query: queries },
        dataDir: data ?? givenSetting(environment, 'STRATALOG_DATA_DIR'),
        host: givenSetting(environment, 'STRATALOG_HOST') ?? '127.0.0.1',
        port: portOf(port),
        docker,
      });
    });
  });
}
