import { Option } from 'commander';
import { folderName, parseTool, type Usage } from './parse-tool';
import type { SearchEngineKind } from '../servers/search-engine';

export interface LocalStackStart {
  readonly kind: 'start';
  /** The folder that keeps the data; they are deleted at the end without it. */
  readonly data?: string;
  readonly engine: SearchEngineKind;
  /** True when the servers run in containers; undefined: where a Docker engine answers. */
  readonly docker?: boolean;
}

export function parseLocalStackArguments(args: readonly string[]): LocalStackStart | Usage {
  return parseTool<LocalStackStart>(args, (tool, choose) => {
    tool
      .name('npm run local-stack --')
      .description(
        'Starts Kafka, a search engine and PostgreSQL on this machine, prints their addresses, and stops them on Ctrl-C. Of KAFKA_BROKERS, ELASTICSEARCH_URL and DATABASE_URL those that are set are used, and nothing is started for them.',
      )
      .option(
        '--data <dir>',
        'keep the data in this folder; without it they are deleted at the end',
        folderName,
      )
      .addOption(
        new Option('--engine <name>', 'the search engine')
          .choices(['opensearch', 'elasticsearch'])
          .default('opensearch'),
      )
      .option('--docker', 'in containers, from the images of their makers: the default with a Docker engine')
      .option('--no-docker', 'as child processes, from published jars')
      .addHelpText(
        'after',
        '\nNeeds a Docker engine, or Java 17 or later and Maven. Downloads are kept in STRATALOG_CACHE_DIR.',
      )
      .action((options: Omit<LocalStackStart, 'kind'>) => {
        choose({ kind: 'start', ...options });
      });
  });
}
