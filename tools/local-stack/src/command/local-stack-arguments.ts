import { parseArgs } from 'node:util';
import type { Usage } from './answer-usage';
import type { SearchEngineKind } from '../servers/search-engine';

export type LocalStackArguments =
  | {
      readonly kind: 'start';
      readonly dataDir: string | undefined;
      readonly engine: SearchEngineKind;
      readonly docker: boolean | undefined;
    }
  | Usage;

export const HELP = `Usage: npm run local-stack -- [options]

Starts Kafka, a search engine and PostgreSQL on this machine, prints their addresses, and stops them on Ctrl-C. Of
KAFKA_BROKERS, ELASTICSEARCH_URL and DATABASE_URL those that are set are used, and nothing is started for them.

  --data DIR       keeps the data in this folder; without it they are thrown away at the end
  --engine NAME    opensearch or elasticsearch (opensearch)
  --docker         in containers, from the images of their makers: the default where a Docker engine answers
  --no-docker      as child processes, from published jars
  -h, --help       print this

Needs a Docker engine, or Java 17 or later and Maven. What is fetched is kept in STRATALOG_CACHE_DIR.
`;

export function parseLocalStackArguments(args: readonly string[]): LocalStackArguments {
  try {
    const { values } = parseArgs({
      args: [...args],
      allowNegative: true,
      options: {
        data: { type: 'string' },
        engine: { type: 'string', default: 'opensearch' },
        docker: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) return { kind: 'help' };
    if (values.data === '') return { kind: 'usage', fault: '--data is empty; allowed: a folder' };
    const { engine } = values;
    if (engine !== 'opensearch' && engine !== 'elasticsearch') {
      return { kind: 'usage', fault: `--engine is "${engine}"; allowed: opensearch, elasticsearch` };
    }
    return { kind: 'start', dataDir: values.data, engine, docker: values.docker };
  } catch (error) {
    return { kind: 'usage', fault: error instanceof Error ? error.message : String(error) };
  }
}
