import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@elastic/elasticsearch';
import { InvalidSettingError, UnavailableError } from '@stratalog/domain';
import { connectClient, type ConnectOptions } from './connect-client';
import { ensureIndex } from './ensure-index';
import { IndexNames } from './index-names';
import { buildMetaMappings } from './build-mappings';
import type { SearchEngine } from './search-engine';
import { toFailure, translateError } from './translate-error';

export interface SearchEngineOptions extends ConnectOptions {
  /** Prefix of every index; catalogs that share an engine need different ones. */
  readonly indexPrefix: string;
  /** How long to wait for an engine that does not answer yet. **Units**: ms. */
  readonly waitMs?: number;
  /** Called once, when waiting begins. */
  readonly onWaiting?: (reason: string) => void;
}

const WAIT_MS = 60_000;
const RETRY_DELAY_MS = 500;

/**
 * Connects to Elasticsearch or OpenSearch and verifies that it is usable. Waits for an engine that is starting.
 *
 * **Errors**: `InvalidSettingError` for a wrong password, missing rights, a server that is too old or another product,
 * an invalid prefix, or an index of our name that the catalog did not create; `UnavailableError` after `waitMs`.
 */
export async function openSearchEngine(options: SearchEngineOptions): Promise<SearchEngine> {
  const names = new IndexNames(options.indexPrefix);
  const client = connectClient(requireUrl(options));
  try {
    const server = await untilUp(options, async () => {
      const server = await inspect(client, hidePassword(options.url));
      await ensureIndex(client, buildMetaMappings(names.meta));
      // After a crash the engine answers before its indices are back, and the next step reads this one.
      await client.get({ index: names.meta, id: 'index-versions' }, { ignore: [404] });
      return server;
    });
    return { client, names, ...server, close: () => client.close() };
  } catch (error) {
    await client.close();
    throw error;
  }
}

async function untilUp<T>(
  { url, waitMs = WAIT_MS, onWaiting }: SearchEngineOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  const end = performance.now() + waitMs;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await attempt();
    } catch (error) {
      const cause = toSettingError(error, url) ?? translateError(error);
      if (!(cause instanceof UnavailableError)) throw cause;
      if (performance.now() > end) {
        throw new UnavailableError(
          `The search engine at ${hidePassword(url)} did not get ready within ${waitMs} ms: ${toReason(cause)}`,
          { cause },
        );
      }
      if (isFirst) onWaiting?.(`waiting for the search engine at ${hidePassword(url)}: ${toReason(cause)}`);
      await pause(RETRY_DELAY_MS);
    }
  }
}

interface Server {
  readonly product: SearchEngine['product'];
  readonly version: string;
}

/** Older versions lack required features. Tested with 8.19 and 2.19. */
const OLDEST_MAJOR = { elasticsearch: 8, opensearch: 2 } as const;

/** `GET /` would also return the version, but builds for embedding do not answer it. */
async function inspect(client: Client, url: string): Promise<Server> {
  const { body, headers } = await client.transport.request<{ nodes?: Record<string, { version?: string }> }>(
    { method: 'GET', path: '/_nodes/_local', querystring: { filter_path: 'nodes.*.version' } },
    { meta: true },
  );
  const version = Object.values(body.nodes ?? {})[0]?.version;
  if (version === undefined) {
    throw new InvalidSettingError(`What answers at ${url} is neither Elasticsearch nor OpenSearch`);
  }
  const product = headers['x-elastic-product'] === 'Elasticsearch' ? 'elasticsearch' : 'opensearch';
  if (Number.parseInt(version, 10) < OLDEST_MAJOR[product]) {
    throw new InvalidSettingError(
      `The search engine at ${url} has version ${version}; needed is Elasticsearch ${OLDEST_MAJOR.elasticsearch} or OpenSearch ${OLDEST_MAJOR.opensearch}, or newer`,
    );
  }
  return { product, version };
}

/** Returns the errors that waiting cannot mend. */
function toSettingError(error: unknown, url: string): InvalidSettingError | undefined {
  const status = toFailure(error)?.status;
  if (status === undefined || status === 429 || status >= 500) return undefined;
  const where = `The search engine at ${hidePassword(url)}`;
  if (status === 401)
    return new InvalidSettingError(`${where} rejected the user name or password`, { cause: error });
  if (status === 403) {
    return new InvalidSettingError(
      `${where} does not let this user in: needed are the cluster privilege "monitor" and all index privileges under the prefix`,
      { cause: error },
    );
  }
  return new InvalidSettingError(
    `${where} answers with status ${status} where Elasticsearch and OpenSearch answer 200`,
    { cause: error },
  );
}

function requireUrl(options: SearchEngineOptions): SearchEngineOptions {
  if (!URL.canParse(options.url) || !/^https?:/.test(options.url)) {
    throw new InvalidSettingError('The address of the search engine must be a URL with http or https');
  }
  return options;
}

/** Removes a password from the address. */
function hidePassword(url: string): string {
  const { protocol, host, pathname } = new URL(url);
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`;
}

/** The innermost message says most: `connect ECONNREFUSED 127.0.0.1:9200`. */
function toReason(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
