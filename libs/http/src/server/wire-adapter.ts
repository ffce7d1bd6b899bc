import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { stringifyJson, type JsonOutput } from '@stratalog/json';
import { actFor, inSlices } from '@stratalog/concurrency';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, RawServerDefault } from 'fastify';
import { actionConstraint } from '../request/action-constraint';
import { admit, answerUnrouted, type AdmissionDeps } from './admit-request';
import { auditCalls, type RecordCall } from './audit-calls';
import type { CallLimits } from '../access/call-limits';
import { Authenticator, type AuthOptions } from '../access/authenticator';
import { MemoryBudget, divideMemory, type MemoryLimits } from '../admission/memory-budget';
import { ConnectionErrors } from '../connections/connection-errors';
import { CrossOrigin } from '../response/cross-origin';
import { DocsPages } from '../response/docs-pages';
import { everyPath } from '../routing/documented-routes';
import type { ListedRoute } from '../routing/route-list';
import { endConnectionsWhenClosing } from '../connections/end-connections-when-closing';
import { ErrorResponder, type FaultReport } from '../response/error-responder';
import { normalizeTarget } from '../request/normalize-target';
import type { OwnHosts } from '../access/own-hosts';
import { installContentEncoding } from '../request/body/content-encoding';
import { dropBody, receiveBody } from '../request/body/receive-body';
import { measureRequests } from './measure-requests';
import { reportCalls, type AnsweredCall } from './report-calls';
import { limitConnections } from '../connections/limit-connections';
import { limitUnreadAnswers } from '../connections/unread-answers';
import { PipelinedRequests } from '../connections/pipelined-requests';
import { QueryParameters } from '../request/query-parameters';
import { RequestCaller } from '../request/request-caller';
import { MAX_HEADER_BYTES, REQUEST_TIMEOUT_MS, SERVER_OPTIONS } from './server-options';
import { RouteTable } from '../routing/route-table';
import { sendJson } from '../response/send-json';
import { reportUnknownIn, setWarnings } from '../response/warnings';
import { startLimits } from './limit-calls';
import { followTls, readTls, usesTls, type TlsFiles } from '../connections/tls-certificate';
import type { WireReply, WireRequest } from '../request/wire';

export interface HttpOptions {
  readonly auth: AuthOptions;
  /** Called once for each answer with status 500. */
  readonly onFault: (report: FaultReport) => void;
  /** Larger bodies are rejected with 413. */
  readonly maxBodyBytes?: number;
  /** The memory for all requests under way; by default what the heap of the process has room for. */
  readonly memory?: MemoryLimits;
  /** Most characters of answers that clients have not read; a quarter of the heap, and 256 MB at most, unless given. */
  readonly maxUnreadLength?: number;
  /** The time limit for one query of a request to a store or an index. **Units**: ms. */
  readonly queryTimeoutMs?: number;
  /** The name part in `com.<vendor>.restli...` of error bodies. */
  readonly vendor?: string;
  /** Returns the address that clients use, without a slash at the end; by default an empty one, to which paths are relative. */
  readonly baseUrl?: () => string;
  /** Origins whose pages may call from a browser; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Rejects unknown names in every call, also without the strict header. */
  readonly isStrict?: boolean;
  /** All routes of the catalog, in any process: rejections link to their pages and suggest them. */
  readonly catalogRoutes?: readonly ListedRoute[];
  /** Rejects requests for host names that are not the server's; without it every name is accepted. */
  readonly ownHosts?: OwnHosts;
  /** Records the calls of operators and rejected calls; without it none is recorded. */
  readonly audit?: RecordCall;
  /** Called after each answer. */
  readonly onCall?: (call: AnsweredCall) => void;
  /** Limits the calls of one caller; without it only memory does. */
  readonly limits?: CallLimits;
  /** The files for TLS; without it the server speaks plain HTTP. */
  readonly tls?: { readonly files: TlsFiles; readonly onReload: (fault: Error | undefined) => void };
  /** Addresses and networks of proxies whose `X-Forwarded-For` is believed; none by default. */
  readonly trustedProxies?: readonly string[];
}

const DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024;
const DEFAULT_MAX_UNREAD_LENGTH = 256 * 1024 * 1024;
const DEFAULT_QUERY_TIMEOUT_MS = 20_000;
const DEFAULT_VENDOR = 'linkedin';

/**
 * The server closes a connection without any byte in either direction after this time; it exceeds the time of
 * any answer.
 */
const SILENT_CONNECTION_MS = 120_000;
/**
 * Longer than load balancers keep idle connections, so that they close first and never send on a closing one.
 */
const KEEP_ALIVE_MS = 75_000;
/** The headers' limit bounds a path already; a path that passed it never fails here. */
const MAX_PARAMETER_LENGTH = 3 * MAX_HEADER_BYTES;

/**
 * Nest's HTTP adapter that speaks the catalog's wire dialect on Fastify: targets, bodies, actions, tokens,
 * envelopes and errors. Controllers return plain JSON values and throw our errors; nothing of Nest or Fastify
 * shows on the wire.
 *
 * The adapter normalizes a request's target, routes it by path and action, and checks its token. It then
 * parses the body, calls the controller and writes the envelope. It answers a request that no route matches
 * before it reads the body.
 */
export class WireAdapter extends FastifyAdapter {
  readonly routes: RouteTable;

  constructor(options: HttpOptions) {
    const vendor = options.vendor ?? DEFAULT_VENDOR;
    const maxBodyBytes = options.maxBodyBytes ?? DEFAULT_MAX_BODY_BYTES;
    const catalogRoutes = options.catalogRoutes ?? [];
    const routes = new RouteTable(everyPath(catalogRoutes));
    const normalize = (target: string) => normalizeTarget(target, routes.urnResources, routes.deepUrns);
    const deps: WireDeps = {
      maxBodyBytes,
      isStrict: options.isStrict ?? false,
      queryTimeoutMs: options.queryTimeoutMs ?? DEFAULT_QUERY_TIMEOUT_MS,
      memory: new MemoryBudget(options.memory ?? divideMemory(maxBodyBytes)),
      maxUnreadLength:
        options.maxUnreadLength ??
        Math.min(DEFAULT_MAX_UNREAD_LENGTH, getHeapStatistics().heap_size_limit / 4),
      pipelined: new PipelinedRequests(),
      normalize,
      routes,
      authenticator: new Authenticator(options.auth),
      crossOrigin: new CrossOrigin(options.corsOrigins ?? []),
      errors: new ErrorResponder({
        vendor,
        maxBodyBytes,
        pages: new DocsPages(catalogRoutes),
        baseUrl: options.baseUrl ?? (() => ''),
        onFault: options.onFault,
      }),
      ownHosts: options.ownHosts,
      audit: options.audit,
      onCall: options.onCall,
      limits: options.limits,
      trustedProxies: options.trustedProxies ?? [],
      connections: new ConnectionErrors({
        vendor,
        normalize,
        inject: (request) => this.getInstance<FastifyInstance>().inject(request),
      }),
    };
    super(serverOptions(deps, options.tls?.files));
    this.routes = routes;
    installOn(this.getInstance<FastifyInstance>(), deps);
    if (options.tls !== undefined) installTls(this.getInstance<FastifyInstance>(), options.tls);
  }

  /** Nest's own parsers would answer in their own shape. */
  override registerParserMiddleware(): void {
    return;
  }

  /** The adapter itself answers errors and unrouted requests. */
  override setErrorHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  override setNotFoundHandler(): FastifyInstance {
    return this.getInstance<FastifyInstance>();
  }

  /** Writes the result of a controller: an action's result in its envelope, any other as it is. */
  override reply(response: unknown, body: JsonOutput | undefined, status?: number): WireReply {
    const reply = response as WireReply;
    if (status !== undefined) void reply.code(status);
    if (body === undefined) return reply.send();
    const isAction = reply.request.routeOptions.config.action !== undefined;
    sendJson(reply, stringifyJson(isAction ? { value: body } : body));
    return reply;
  }
}

interface WireDeps extends AdmissionDeps {
  readonly isStrict: boolean;
  readonly queryTimeoutMs: number;
  readonly maxUnreadLength: number;
  readonly pipelined: PipelinedRequests;
  readonly normalize: (target: string) => string;
  readonly audit: RecordCall | undefined;
  readonly onCall: HttpOptions['onCall'] | undefined;
  readonly trustedProxies: readonly string[];
  readonly errors: ErrorResponder;
  readonly connections: ConnectionErrors;
}

function serverOptions(
  { normalize, errors, connections, trustedProxies }: WireDeps,
  tls: TlsFiles | undefined,
) {
  const options: FastifyHttpOptions<RawServerDefault> & { skipMiddie: boolean } = {
    // The catalog uses no Nest middleware, and its bridge costs every request.
    skipMiddie: true,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    // Requests that arrive on open connections during closing are served; see `endConnectionsWhenClosing`.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENT_CONNECTION_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    ...(tls === undefined ? { http: SERVER_OPTIONS } : { https: { ...SERVER_OPTIONS, ...readTls(tls) } }),
    rewriteUrl: (request) => normalize(request.url ?? '/'),
    routerOptions: {
      maxParamLength: MAX_PARAMETER_LENGTH,
      constraints: { action: actionConstraint },
      querystringParser: (text) => new QueryParameters(text) as unknown as Record<string, unknown>,
    },
    frameworkErrors: (error, request, reply) => {
      errors.send(error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      connections.answer(error, socket);
    },
  };
  return options;
}

function installTls(instance: FastifyInstance, { files, onReload }: NonNullable<HttpOptions['tls']>): void {
  const { server } = instance;
  if (!usesTls(server)) return;
  const stop = followTls(server, files, onReload);
  instance.addHook('onClose', (_instance, done) => {
    stop();
    done();
  });
}

function installOn(instance: FastifyInstance, deps: WireDeps): void {
  instance.decorateRequest('principal', null);
  instance.decorateRequest('largeParts', null);
  instance.decorateRequest('audited', null);
  instance.decorateRequest('unknownNames', undefined);
  instance.removeAllContentTypeParsers();
  instance.decorateRequest('memory', null);
  instance.addContentTypeParser('*', (request: WireRequest, stream: IncomingMessage) =>
    receiveBody(request, stream, deps),
  );
  instance.addHook('onRoute', (route) => {
    const { url, method, config } = route;
    deps.routes.add(url, [method].flat(), config?.action);
  });
  instance.addHook('onRequest', (request, reply, done) => {
    deps.pipelined.take(request.raw, reply.raw, () => {
      admit(request, reply, deps, done);
    });
  });
  instance.addHook('preHandler', async (request) => {
    await inSlices(reportUnknownIn(request, deps.isStrict));
  });
  // The last hook: only the handler behind it runs on behalf of the caller.
  instance.addHook('preHandler', ({ routeOptions: { config } }, reply, done) => {
    const { writes = true } = config;
    actFor(new RequestCaller(reply, deps.queryTimeoutMs, writes), done);
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    setWarnings(request, reply);
    done(null, payload);
  });
  if (deps.audit !== undefined) auditCalls(instance, deps.audit, deps.authenticator.anonymous);
  if (deps.limits !== undefined) startLimits(instance, deps.limits);
  measureRequests(instance);
  if (deps.onCall !== undefined) reportCalls(instance, deps.onCall, deps.authenticator.anonymous);
  installContentEncoding(instance);
  endConnectionsWhenClosing(instance);
  // After the encoding: what an answer holds is what it has become.
  limitUnreadAnswers(instance, deps.maxUnreadLength);
  // The last hook of an answer: nothing reads the body after it.
  instance.addHook('onSend', (request, _reply, payload, done) => {
    dropBody(request);
    done(null, payload);
  });
  instance.setErrorHandler((error, request, reply) => {
    deps.errors.send(error, request, reply);
  });
  instance.setNotFoundHandler((request, reply) => {
    answerUnrouted(request, reply, deps.routes);
  });
  limitConnections(instance.server, deps.trustedProxies);
  deps.connections.watch(instance.server);
  // `admit` rejects expectations like other faults; Node's own rejection has no body.
  instance.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    instance.server.emit('request', request, response);
  });
  instance.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    deps.connections.reject(socket, { status: 405, message: 'CONNECT operation not supported' });
  });
}
