import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SearchEngine } from './search-engine';

/** The real servers that suites run on. */
export const ENGINES = [
  { name: 'OpenSearch', url: process.env.STRATALOG_TEST_ELASTICSEARCH_URL ?? '' },
  { name: 'Elasticsearch', url: process.env.STRATALOG_TEST_ELASTICSEARCH_8_URL ?? '' },
];

/** Generates a prefix for one suite, so that suites can share a server. */
export function scratchPrefix(): string {
  return `scratch-${randomBytes(6).toString('hex')}_`;
}

/** Removes all indices under the engine's prefix. */
export async function removeIndices({
  client,
  names,
}: Pick<SearchEngine, 'client' | 'names'>): Promise<void> {
  const found = await client.indices.get({
    index: `${names.prefix}*`,
    expand_wildcards: ['open', 'hidden'],
    filter_path: '*.settings.index.uuid',
  });
  const indices = Object.keys(found);
  if (indices.length > 0) await client.indices.delete({ index: indices });
}

/** Forwards requests to a real server, and answers some with failures. */
export interface FailingProxy {
  readonly url: string;
  /** Answers the next requests whose path matches with these statuses. */
  answerNext(path: RegExp, statuses: readonly number[]): void;
  /**
   * Leaves requests whose path matches unanswered until `release`. `waiting` counts the open ones, `givenUp` those that
   * their client closed.
   */
  hold(path: RegExp): { waiting(): number; givenUp(): number; release(): void };
  /** Rejects connections and drops open ones, like a server that was killed. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function openFailingProxy(target: string): Promise<FailingProxy> {
  let failing = /$^/;
  let statuses: readonly number[] = [];
  let held = /$^/;
  let [waiting, givenUp] = [0, 0];
  const server = createServer((request, response) => {
    if (held.test(request.url ?? '')) {
      request.resume();
      waiting++;
      response.once('close', () => {
        waiting--;
        givenUp++;
      });
      return;
    }
    const [status] = statuses;
    if (status !== undefined && failing.test(request.url ?? '')) {
      statuses = statuses.slice(1);
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"failing"}');
      return;
    }
    const { method, headers } = request;
    const passed = forward(new URL(request.url ?? '', target), {
      ...(method === undefined ? {} : { method }),
      headers,
    });
    passed.on('response', (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    passed.on('error', () => response.destroy());
    request.pipe(passed);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const end = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return {
    url: `http://127.0.0.1:${port}`,
    answerNext: (path, next) => {
      failing = path;
      statuses = next;
    },
    hold: (path) => {
      held = path;
      [waiting, givenUp] = [0, 0];
      return {
        waiting: () => waiting,
        givenUp: () => givenUp,
        release: () => {
          held = /$^/;
        },
      };
    },
    goAway: end,
    comeBack: async () => {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    close: end,
  };
}
