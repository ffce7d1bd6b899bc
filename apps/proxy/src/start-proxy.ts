import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import {
  ConnectionErrors,
  ERROR_HEADERS,
  OwnHosts,
  SECURITY_HEADERS,
  SERVER_OPTIONS,
  SilentConnections,
  endConnections,
  errorBody,
  followTls,
  limitConnections,
  originForm,
  readTls,
  type TlsFiles,
} from '@stratalog/http';
import { APPS, listenOn, type App } from '@stratalog/runtime';
import { ForbiddenError } from '@stratalog/domain';
import { createProxyServer } from 'httpxy';
import { answerHealth, healthQuestion } from './proxy-health';
import { UnreachableError } from './agent-of';
import { AppInstances } from './app-instances';
import { AppWatch } from './app-watch';
import { appFor, isLong } from './app-for';
import { askItself } from './ask-itself';
import { dropHopHeaders } from './end-to-end-headers';
import { appendClient } from './forwarded-for';
import type { Instance } from './instance';
import { relayUsers, type RelayedUsers } from './relay-user';

export interface ProxyOptions {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** The addresses of each app's instances. */
  readonly apps: Readonly<Record<App, readonly string[]>>;
  /** The name part in `com.<vendor>.restli...` of error bodies. */
  readonly vendor: string;
  /** The address that clients use, when it is not that of this process. */
  readonly baseUrl?: string | undefined;
  /** Users whom a proxy in front of this one names; without it no header names a user. */
  readonly users?: RelayedUsers | undefined;
  /** The files for TLS; without them the proxy speaks plain HTTP. */
  readonly tls?: TlsFiles | undefined;
  /** Addresses and networks of proxies in front of this one, which may open more connections than others; none by default. */
  readonly trustedProxies?: readonly string[];
}

export interface RunningProxy {
  readonly url: string;
  /** Is not ready from now on, and ends each connection with its next answer, so that clients go elsewhere. */
  drain(): void;
  /** Accepts no more requests, and resolves when those under way are answered. */
  stop(): Promise<void>;
}

/** Exceeds the longest wait of an app. */
const APP_TIMEOUT_MS = 120_000;
/** For calls that write many pages of aspects and answer when all are written. */
const LONG_TIMEOUT_MS = 3_600_000;

function timeoutOf(target: string, method: string): number {
  return isLong(target, method) ? LONG_TIMEOUT_MS : APP_TIMEOUT_MS;
}

/** A long query comes by POST, and is routed by the method that it stands for. */
function routedMethodOf({ method = 'GET', headers }: IncomingMessage): string {
  const override = String(headers['x-http-method-override'] ?? '').toUpperCase();
  return method === 'POST' && override !== '' ? override : method;
}

/** True for a request that none has seen, and for a read whose connection ended before its time limit and without a word of the answer. */
function canRepeat(error: unknown, method: string, elapsedMs: number, limitMs: number): boolean {
  if (error instanceof UnreachableError) return true;
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && elapsedMs < limitMs && (error as NodeJS.ErrnoException).code === 'ECONNRESET';
}

/**
 * Starts one address for all apps. It forwards each request unchanged to an instance of the app that serves
 * its path and action. It answers for its own health from what it knows of all apps.
 */
export async function startProxy({
  host,
  port,
  apps,
  vendor,
  baseUrl,
  users,
  tls,
  trustedProxies = [],
}: ProxyOptions): Promise<RunningProxy> {
  const instances = mapApps((app) => new AppInstances(apps[app]));
  const watch = new AppWatch(instances);
  const ownHosts = new OwnHosts(baseUrl);
  const relayUser = relayUsers(users);
  let isDraining = false;
  // The apps accept only their own host names; X-Forwarded-Host carries the name that the client called. The library keeps an
  // X-Forwarded-For that the client wrote, so the client is appended before.
  const forwarder = createProxyServer({ xfwd: true, changeOrigin: true });
  forwarder.on('proxyRes', ({ headers }, _request, response) => {
    dropHopHeaders(headers);
    headers.connection = response.shouldKeepAlive ? 'keep-alive' : 'close';
  });
  const reject = (response: ServerResponse, status: number, message: string): void => {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    const body = errorBody({ vendor, status, message });
    response.writeHead(status, {
      'content-length': Buffer.byteLength(body),
      'content-type': 'application/json',
      ...(status === 503 ? { 'retry-after': '1' } : {}),
      'x-restli-protocol-version': '2.0.0',
      ...ERROR_HEADERS,
      ...SECURITY_HEADERS,
    });
    response.end(body);
  };
  const forward = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const method = routedMethodOf(request);
    const app = appFor(request.url ?? '/', method);
    const proxyTimeout = timeoutOf(request.url ?? '/', method);
    const tried = new Set<Instance>();
    for (;;) {
      const instance = instances[app].next(tried);
      if (instance === undefined) break;
      tried.add(instance);
      const startedAt = performance.now();
      try {
        const { url: target, agent } = instance;
        await forwarder.web(request, response, { target, agent, proxyTimeout });
        return;
      } catch (error) {
        instance.failed();
        if (response.headersSent || response.destroyed) break;
        if (!canRepeat(error, request.method ?? '', performance.now() - startedAt, proxyTimeout)) break;
      }
    }
    reject(response, 503, `The ${app} app does not answer; repeat the request`);
  };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    try {
      ownHosts.rejectCrossSite(request.headers.host, server);
    } catch (error) {
      reject(response, 403, (error as Error).message);
      return;
    }
    request.url = originForm(request.url ?? '/');
    dropHopHeaders(request.headers);
    appendClient(request);
    const question = healthQuestion(request.method, request.url);
    if (question !== undefined) {
      void answerHealth(question, watch, isDraining).then(({ code, body }) => {
        response.writeHead(code, { 'content-type': 'application/json', ...SECURITY_HEADERS });
        response.end(JSON.stringify(body));
      });
      return;
    }
    try {
      relayUser(request);
    } catch (error) {
      reject(response, error instanceof ForbiddenError ? 403 : 401, (error as Error).message);
      return;
    }
    void forward(request, response);
  };
  const tlsServer =
    tls === undefined ? undefined : createTlsServer({ ...SERVER_OPTIONS, ...readTls(tls) }, answer);
  const server = tlsServer ?? createServer(SERVER_OPTIONS, answer);
  const stopTls =
    tlsServer === undefined || tls === undefined ? undefined : followTls(tlsServer, tls, reportTls);
  const connections = new ConnectionErrors({
    vendor,
    normalize: originForm,
    inject: (request) => askItself(server, request, users?.header),
  });
  connections.watch(server);
  limitConnections(server, trustedProxies);
  server.on('clientError', (error, socket) => {
    connections.answer(error, socket as Socket);
  });
  server.on('connect', (_request, socket) => {
    connections.reject(socket as Socket, { status: 405, message: 'CONNECT operation not supported' });
  });
  server.on('checkExpectation', ({ headers: { expect } }, response) => {
    reject(response, 417, `Expect: "${expect ?? ''}" cannot be met; supported: 100-continue`);
  });
  server.keepAliveTimeout = 75_000;
  const silent = new SilentConnections(server);
  const url = await listenOn(server, { host, port, setting: 'STRATALOG_PORT' });
  await Promise.all(APPS.map((app) => instances[app].start()));
  return {
    url,
    drain: () => {
      isDraining = true;
      endConnections(server);
    },
    stop: async () => {
      stopTls?.();
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      silent.end();
      await closed;
      await Promise.all(APPS.map((app) => instances[app].stop()));
    },
  };
}

function mapApps<T>(create: (app: App) => T): Readonly<Record<App, T>> {
  return Object.fromEntries(APPS.map((app) => [app, create(app)])) as Record<App, T>;
}

function reportTls(fault: Error | undefined): void {
  const text =
    fault === undefined ? 'the certificate was renewed' : `the former certificate stays: ${fault.message}`;
  process.stderr.write(`stratalog: ${text}\n`);
}
