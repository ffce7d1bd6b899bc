// Paths of the repository, and the sources of each bundle.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const DIST = join(ROOT, 'dist');
export const LOCKS = join(DIST, '.locks');

/** The bundles of the apps that make a distributed catalog. */
export const DISTRIBUTED_APPS = ['ingest', 'writer', 'indexer', 'query', 'graph', 'admin', 'proxy'].map(
  (app) => `apps/${app}/main`,
);

/** The bundle of the web pages: files for browsers in a folder of their own. */
export const WEB = 'apps/web/main';
/** The programs that serve the web pages. */
export const SERVERS_OF_PAGES = ['apps/standalone/main', 'apps/query/main'];

/** Bundles by name; `dist/<name>.js` is made from the first source that exists. */
export const BUNDLES = {
  'apps/standalone/main': ['apps/standalone/src/main.ts'],
  ...Object.fromEntries(DISTRIBUTED_APPS.map((name) => [name, [`${name.replace('/main', '/src/main')}.ts`]])),
  [WEB]: ['apps/web/src/main.tsx'],
  'tools/distributed/main': ['tools/distributed/src/main.ts'],
  'apps/cli/main': ['apps/cli/src/main.ts'],
  'bench/main': ['bench/src/main.ts', 'bench/main.ts'],
  'bench/serve': ['bench/src/serve/main.ts'],
  'tools/relevance/main': ['tools/relevance/src/main.ts'],
  'tools/faults/main': ['tools/faults/src/main.ts', 'tools/faults/main.ts'],
  // For the suites of the embedded server, whose owners are processes of their own.
  'tools/embedded-server': ['libs/adapters/postgres/src/embedded-server/open-embedded-server.ts'],
  'tools/clients/main': ['tools/clients/src/main.ts'],
  'tools/clients/index': ['tools/clients/src/index.ts'],
  'tools/local-stack/main': ['tools/local-stack/src/main.ts'],
  'tools/local-stack/index': ['tools/local-stack/src/index.ts'],
};

/** Prints a line for people; stdout belongs to the command that follows. */
export function say(line) {
  console.error(`stratalog: ${line}`);
}
