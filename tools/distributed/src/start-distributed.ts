import { startLocalStack, type LocalStack } from '@stratalog/local-stack';
import { appEnvironment } from './app-environment';
import { AppProcess } from './app-process';
import type { Scale } from './distributed-arguments';
import { untilReady } from './until-ready';

export interface DistributedOptions {
  readonly scale: Scale;
  /** Keeps everything; thrown away without it. */
  readonly dataDir: string | undefined;
  /** Of the proxy. */
  readonly host: string;
  /** Of the proxy; 0 picks a free one. */
  readonly port: number;
  /** Whether the servers run in containers; as it suits without it. */
  readonly docker?: boolean | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** The operator's, which all apps share. */
  readonly token: string;
  readonly say: (line: string) => void;
  readonly signal: AbortSignal;
}

export interface DistributedCatalog {
  /** The proxy's address. */
  readonly url: string;
  readonly apps: readonly AppProcess[];
  /** Resolves with what has ended by itself, should something. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the servers, the apps and the proxy, in this order.
 *
 * **Errors**: rejects with the first reason when something does not start; everything else is stopped then.
 */
export async function startDistributed(options: DistributedOptions): Promise<DistributedCatalog> {
  const { dataDir, environment, say, signal } = options;
  const kept = dataDir === undefined ? {} : { dataDir };
  const servers = { ...kept, isLongLived: true, inDocker: options.docker };
  const stack = await startLocalStack({ ...servers, given: environment, log: say, signal });
  const apps: AppProcess[] = [];
  const stop = async (): Promise<void> => {
    // Whoever takes requests first, whoever stores them last.
    for (const app of [...apps].reverse()) await app.stop();
    await stack.stop();
  };
  try {
    const url = await startApps(options, stack, apps);
    return { url, apps, lost: untilLost(stack, apps), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startApps(
  { scale, host, port, environment, token, say, signal }: DistributedOptions,
  { addresses }: LocalStack,
  apps: AppProcess[],
): Promise<string> {
  const start = (app: string, settings: NodeJS.ProcessEnv): AppProcess => {
    const place = { environment, addresses, token };
    const started = new AppProcess(app, { environment: appEnvironment(place, settings) });
    apps.push(started);
    return started;
  };
  // The first one makes topics and tables; the others find them.
  const counts = { ...scale, graph: 1, admin: 1 };
  const [first = '', ...rest] = Object.entries(counts).flatMap(([app, count]) =>
    Array.from({ length: count }, () => app),
  );
  const urls = new Map<string, string[]>();
  const note = async (app: AppProcess): Promise<void> => {
    const url = await app.ready();
    urls.set(app.app, [...(urls.get(app.app) ?? []), url]);
    say(`${app.app} ready ${url}`);
  };
  await note(start(first, {}));
  await Promise.all(rest.map((app) => note(start(app, {}))));
  const urlsOf = (app: string): string => urls.get(app)?.join(',') ?? '';
  const proxy = start('proxy', {
    STRATALOG_HOST: host,
    STRATALOG_PORT: String(port),
    STRATALOG_INGEST_URLS: urlsOf('ingest'),
    STRATALOG_QUERY_URLS: urlsOf('query'),
    STRATALOG_GRAPH_URLS: urlsOf('graph'),
    STRATALOG_ADMIN_URLS: urlsOf('admin'),
  });
  const url = await proxy.ready();
  await untilReady(url, token, signal);
  say(`producers on Kafka: brokers ${addresses.KAFKA_BROKERS}, schema registry ${url}/schema-registry/api/`);
  return url;
}

function untilLost(stack: LocalStack, apps: readonly AppProcess[]): Promise<string> {
  return Promise.race([
    new Promise<string>((resolve) => {
      stack.onExit((name, reason) => {
        resolve(`the server of ${name} ended by itself: ${reason}`);
      });
    }),
    ...apps.map(async ({ app, ended }) => `the ${app} app ended by itself: ${await ended}`),
  ]);
}
