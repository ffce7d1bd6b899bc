import { prepareElasticsearch } from './elasticsearch';
import { prepareOpenSearch } from './opensearch';
import { openServer, type RunningServer, type ServerOptions } from '../processes/running-server';
import { PortTakenError, type ServerProcess } from '../processes/server-process';

export type SearchEngineKind = 'opensearch' | 'elasticsearch';

export interface SearchEngineOptions extends ServerOptions {
  /** OpenSearch 2.19 by default. */
  readonly kind?: SearchEngineKind;
  readonly heapMb?: number;
}

interface SearchEngineAddress {
  readonly url: string;
  readonly kind: SearchEngineKind;
}

export type RunningSearchEngine = RunningServer & SearchEngineAddress;

const HEAP_MB = 512;

/**
 * Starts one node without authentication on 127.0.0.1: OpenSearch 2.19 with its whole distribution, or
 * Elasticsearch 8.19 in the build that its makers publish for tests (no by-query calls, no scripts, few
 * analyzers).
 *
 * **Errors**: rejects with the required installation when Java or Maven are missing, and as `openServer`
 * does.
 */
export function startSearchEngine(options: SearchEngineOptions = {}): Promise<RunningSearchEngine> {
  const { kind = 'opensearch', heapMb = HEAP_MB } = options;
  const prepare = kind === 'opensearch' ? prepareOpenSearch : prepareElasticsearch;
  return openServer(kind, options, async (place) => {
    const { port, ...launch } = await prepare(place, heapMb);
    const url = `http://127.0.0.1:${port}`;
    const check = async (process: ServerProcess): Promise<void> => {
      const got = Number(process.ready[1]);
      if (got !== port) throw new PortTakenError(`${kind} listens on port ${got} instead of ${port}`);
      const health = await fetch(`${url}/_cluster/health?wait_for_status=yellow&timeout=60s`);
      if (!health.ok) throw new Error(`${kind} says ${health.status}: ${await health.text()}`);
    };
    return { ...launch, check, facts: { url, kind } };
  });
}
