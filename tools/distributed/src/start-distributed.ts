import { startLocalStack, type LocalStack } from '@stratalog/local-stack';
import { appEnvironment } from './app-environment';
import type { Scale } from './distributed-arguments';
import { SupervisedApp } from './supervised-app';
import { untilReady } from './until-ready';

export interface DistributedOptions {
  readonly scale: Scale;
  /** Keeps the data; without it they are deleted. */
  readonly dataDir: string | undefined;
  /** Of the proxy. */
  readonly host: string;
  /** Of the proxy; 0 selects a free one. */
  readonly port: number;
  /** True when the servers run in containers; detected without it. */
  readonly docker?: boolean | undefined;
  readonly environment: NodeJS.ProcessEnv;
  /** The operator's token, which all apps share. */
  readonly token: string;
  readonly say: (line: string) => void;
  /** Receives each line that an app writes to standard error, with the app's name. */
  readonly log: (name: string, line: string) => void;
  readonly signal: AbortSignal;
}

export interface DistributedCatalog {
  /** The proxy's address. */
  readonly url: string;
  readonly apps: readonly SupervisedApp[];
  /** Resolves with the name of a server that has ended, or of an app that was given up. */
  readonly lost: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts the servers, the apps and the proxy, in this order. An app that ends by itself is started again.
 *
 * **Errors**: rejects with the first reason when something does not start; everything else is stopped then.
 */
export async function startDistributed(options: DistributedOptions): Promise<DistributedCatalog> {
  const { dataDir, environment, say, signal } = options;
  const kept = dataDir === undefined ? {} : { dataDir };
  const servers = { ...kept, isLongLived: true, inDocker: options.docker };
  const stack = await startLocalStack({ ...servers, given: environment, log: say, signal });
  const apps: SupervisedApp[] = [];
  const stop = async (): Promise<void> => {
    // Stops the apps that accept requests first, and those that store them last.
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
  { scale, host, port, environment, token, say, log, signal }: DistributedOptions,
  { addresses }: LocalStack,
  apps: SupervisedApp[],
): Promise<string> {
  const start = (app: string, name = app, settings: NodeJS.ProcessEnv = {}, on = 0): SupervisedApp => {
    const place = { environment, addresses, token };
    const started = new SupervisedApp({
      name,
      app,
      environment: (given) => appEnvironment(place, { STRATALOG_PORT: String(given), ...settings }),
      port: on,
      log: (line) => {
        log(name, line);
      },
      say,
    });
    apps.push(started);
    return started;
  };
  // The first app creates topics and tables; the others find them.
  const [first = ['', ''], ...rest] = Object.entries({ ...scale, graph: 1, admin: 1 }).flatMap(namesOf);
  await start(...first).ready();
  await Promise.all(rest.map((app) => start(...app).ready()));
  const urlsOf = (wanted: string): string =>
    apps
      .filter(({ app }) => app === wanted)
      .map(({ url }) => url)
      .join(',');
  const urls = {
    STRATALOG_HOST: host,
    STRATALOG_INGEST_URLS: urlsOf('ingest'),
    STRATALOG_QUERY_URLS: urlsOf('query'),
    STRATALOG_GRAPH_URLS: urlsOf('graph'),
    STRATALOG_ADMIN_URLS: urlsOf('admin'),
  };
  const proxy = start('proxy', 'proxy', urls, port);
  await proxy.ready();
  const { url } = proxy;
  await untilReady(url, token, signal);
  say(`producers on Kafka: brokers ${addresses.KAFKA_BROKERS}, schema registry ${url}/schema-registry/api/`);
  return url;
}

/** Returns the names of an app's instances, each with the app. */
function namesOf([app, count]: readonly [string, number]): [app: string, name: string][] {
  return Array.from({ length: count }, (_, at) => [app, count === 1 ? app : `${app}-${String(at + 1)}`]);
}

function untilLost(stack: LocalStack, apps: readonly SupervisedApp[]): Promise<string> {
  return Promise.race([
    new Promise<string>((resolve) => {
      stack.onExit((name, reason) => {
        resolve(`the server of ${name} ended by itself: ${reason}`);
      });
    }),
    ...apps.map((app) => app.untilLost()),
  ]);
}
