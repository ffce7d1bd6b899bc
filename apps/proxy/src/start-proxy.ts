import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { ERROR_HEADERS, errorBody } from '@stratalog/http';
import { APPS, listeningUrl, type App } from '@stratalog/runtime';
import { createProxyServer } from 'httpxy';
import { askHealth } from './ask-health';
import { appFor, writesPages } from './app-for';
import { Upstreams } from './upstreams';

export interface ProxyOptions {
  readonly host: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** The addresses of each app's instances. */
  readonly apps: Readonly<Record<App, readonly string[]>>;
  /** The name part in `com.<vendor>.restli...` of error bodies. */
  readonly vendor: string;
}

export interface RunningProxy {
  readonly url: string;
  /** Takes no more requests and resolves when those under way are answered. */
  stop(): Promise<void>;
}

const HEALTH = /^\/(?:api\/gms\/|gms\/)?health\/?(?:\?|$)/;
/** Longer than an app waits for anything. */
const APP_TIMEOUT_MS = 120_000;
/** What writes page after page of others' aspects answers when all is done. */
const LONG_TIMEOUT_MS = 3_600_000;

function timeoutOf(target: string): number {
  return writesPages(target) ? LONG_TIMEOUT_MS : APP_TIMEOUT_MS;
}

/**
 * One address for all apps: each request goes to an instance of the app that serves its path and action, as it is. `GET /health`
 * asks all of them.
 */
export async function startProxy({ host, port, apps, vendor }: ProxyOptions): Promise<RunningProxy> {
  const upstreams = new Map(APPS.map((app) => [app, new Upstreams(apps[app], () => performance.now())]));
  const forwarder = createProxyServer({ xfwd: true });
  const refuse = (response: ServerResponse, message: string): void => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    response.writeHead(503, {
      'content-type': 'application/json; charset=utf-8',
      'retry-after': '1',
      ...ERROR_HEADERS,
    });
    response.end(errorBody({ vendor, status: 503, message }));
  };
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const app = appFor(request.url ?? '/');
    const instances = upstreams.get(app);
    if (instances === undefined) throw new TypeError(`No instances of ${app}`);
    const target = instances.next();
    try {
      await forwarder.web(request, response, { target, proxyTimeout: timeoutOf(request.url ?? '/') });
    } catch {
      instances.failed(target);
      refuse(response, `The ${app} app does not answer; repeat the request`);
    }
  };
  const server = createServer((request, response) => {
    if (request.method === 'GET' && HEALTH.test(request.url ?? '')) void answerHealth(response, apps);
    else void forward(request, response);
  });
  server.keepAliveTimeout = 75_000;
  server.listen(port, host);
  await once(server, 'listening');
  // A connection that the system does not hand over, for want of file handles, is no reason to end.
  server.on('error', () => undefined);
  return {
    url: listeningUrl(server, host),
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      await closed;
    },
  };
}

async function answerHealth(response: ServerResponse, apps: ProxyOptions['apps']): Promise<void> {
  const report = await askHealth(apps);
  response.writeHead(report.status === 'ready' ? 200 : 503, { 'content-type': 'application/json' });
  response.end(JSON.stringify(report));
}
