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

/** A prefix that only one suite uses, so that suites share a server. */
export function scratchPrefix(): string {
  return `scratch-${randomBytes(6).toString('hex')}_`;
}

/** Removes all that is kept under the engine's prefix. */
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

/** Passes everything on to a real server, but answers some requests with trouble of its own. */
export interface TroubledProxy {
  readonly url: string;
  /** The next requests whose path matches are answered with these statuses. */
  answerNext(path: RegExp, statuses: readonly number[]): void;
  /** Until `release` requests whose path matches get no answer: `waiting` of them are open, `givenUp` were closed by whoever sent them. */
  hold(path: RegExp): { waiting(): number; givenUp(): number; release(): void };
  /** Takes no connection and drops those that are, as a server that was killed. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

export async function openTroubledProxy(target: string): Promise<TroubledProxy> {
  let troubled = /$^/;
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
    if (status !== undefined && troubled.test(request.url ?? '')) {
      statuses = statuses.slice(1);
      request.resume();
      response.writeHead(status, { 'content-type': 'application/json' }).end('{"error":"troubled"}');
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
      troubled = path;
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
