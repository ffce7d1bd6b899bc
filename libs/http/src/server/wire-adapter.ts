import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { stringifyJson, type JsonOutput } from '@stratalog/model';
import { actFor, inSlices } from '@stratalog/ports';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import type { FastifyHttpOptions, FastifyInstance, HookHandlerDoneFunction, RawServerDefault } from 'fastify';
import { acceptsJson } from '../request/accepts-json';
import { actionConstraint, actionOf } from '../request/action-constraint';
import { Authenticator, type AuthOptions } from '../access/authenticator';
import { BodyBudget } from '../request/body-budget';
import { ConnectionErrors } from './connection-errors';
import { CrossOrigin } from '../response/cross-origin';
import { DocsPages } from '../response/docs-pages';
import { everyPath, type DocumentedRoute } from '../routing/documented-routes';
import { endConnectionsWhenClosing } from './end-connections-when-closing';
import { ErrorResponder, type FaultReport } from '../response/error-responder';
import { normalizeTarget } from '../request/normalize-target';
import type { OwnHosts } from '../access/own-hosts';
import { installContentEncoding } from '../request/content-encoding';
import { parseBody } from '../request/parse-body';
import { PipelinedRequests } from './pipelined-requests';
import { QueryParameters } from '../request/query-parameters';
import { leaveTunnel, tunnelledMethodOf, type TunnelledMethod } from '../request/query-tunnel';
import { rejectCrossSite } from '../access/reject-cross-site';
import { rejectNul } from '../request/reject-nul';
import { MAX_SMALL_BODY_BYTES } from '../request/request-limits';
import { RequestCaller } from '../request/request-caller';
import { MAX_HEADER_BYTES, REQUEST_TIMEOUT_MS, SERVER_OPTIONS } from './server-options';
import { RouteTable } from '../routing/route-table';
import { SECURITY_HEADERS } from '../response/security-headers';
import { sendJson } from '../response/send-json';
import { TransportError } from '../errors/transport-error';
import { noteUnknownIn, setWarnings } from '../response/warnings';
import { PROTOCOL_HEADER, answeredProtocol, type WireReply, type WireRequest } from '../request/wire';

export interface HttpOptions {
  readonly auth: AuthOptions;
  /** Called once for each answer with status 500. */
  readonly onFault: (report: FaultReport) => void;
  /** Larger bodies are rejected with 413. */
  readonly maxBodyBytes?: number;
  /**
   * The limit for the bodies of all requests under way together, never less than one body; beyond it requests
   * get 429.
   */
  readonly maxInFlightBytes?: number;
  /** The time limit for one query of a request to a store or an index. **Units**: ms. */
  readonly queryTimeoutMs?: number;
  /** The name part in `com.<vendor>.restli...` of error bodies. */
  readonly vendor?: string;
  /** Origins whose pages may call from a browser; none by default. */
  readonly corsOrigins?: readonly string[];
  /** Rejects unknown names in every call, also without the strict header. */
  readonly isStrict?: boolean;
  /** All routes of the catalog, in any process: rejections link to their pages and suggest them. */
  readonly catalogRoutes?: readonly DocumentedRoute[];
  /** Rejects requests for host names that are not the server's; without it every name is accepted. */
  readonly ownHosts?: OwnHosts;
}

const DEFAULT_MAX_BODY_BYTES = 16 * 1024 * 1024;
/** Eight of the largest bodies; parsed, they fit the heap that Node has on a small machine. */
const DEFAULT_MAX_IN_FLIGHT_BYTES = 128 * 1024 * 1024;
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
/** Far more than client pools open, and few enough that their buffers and file handles do no harm. */
const MAX_CONNECTIONS = 4_096;
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
    const normalize = (target: string) => normalizeTarget(target, routes.urnResources);
    const parts: WireDeps = {
      maxBodyBytes,
      isStrict: options.isStrict ?? false,
      queryTimeoutMs: options.queryTimeoutMs ?? DEFAULT_QUERY_TIMEOUT_MS,
      bodies: new BodyBudget(maxBodyBytes, options.maxInFlightBytes ?? DEFAULT_MAX_IN_FLIGHT_BYTES),
      pipelined: new PipelinedRequests(),
      normalize,
      routes,
      authenticator: new Authenticator(options.auth),
      crossOrigin: new CrossOrigin(options.corsOrigins ?? []),
      errors: new ErrorResponder({
        vendor,
        maxBodyBytes,
        pages: new DocsPages(catalogRoutes),
        onFault: options.onFault,
      }),
      ownHosts: options.ownHosts,
      connections: new ConnectionErrors({
        vendor,
        normalize,
        inject: (request) => this.getInstance<FastifyInstance>().inject(request),
      }),
    };
    super(serverOptions(parts));
    this.routes = routes;
    installOn(this.getInstance<FastifyInstance>(), parts);
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

interface WireDeps {
  readonly maxBodyBytes: number;
  readonly isStrict: boolean;
  readonly queryTimeoutMs: number;
  readonly bodies: BodyBudget;
  readonly pipelined: PipelinedRequests;
  readonly normalize: (target: string) => string;
  readonly routes: RouteTable;
  readonly authenticator: Authenticator;
  readonly crossOrigin: CrossOrigin;
  readonly ownHosts: OwnHosts | undefined;
  readonly errors: ErrorResponder;
  readonly connections: ConnectionErrors;
}

function serverOptions({ maxBodyBytes, normalize, errors, connections }: WireDeps) {
  const options: FastifyHttpOptions<RawServerDefault> & { skipMiddie: boolean } = {
    // The catalog uses no Nest middleware, and its bridge costs every request.
    skipMiddie: true,
    bodyLimit: maxBodyBytes,
    // Requests that arrive on open connections during closing are served; see `endConnectionsWhenClosing`.
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionTimeout: SILENT_CONNECTION_MS,
    keepAliveTimeout: KEEP_ALIVE_MS,
    http: SERVER_OPTIONS,
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

function installOn(instance: FastifyInstance, parts: WireDeps): void {
  instance.decorateRequest('actor', '');
  instance.decorateRequest('largeParts', null);
  instance.decorateRequest('unknownNames', undefined);
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser('*', { parseAs: 'buffer' }, async (request: WireRequest, bytes: Buffer) => {
    const { body, large } = await parseBody(bytes);
    request.largeParts = large;
    return body;
  });
  instance.addHook('onRoute', (route) => {
    const { url, method, config } = route;
    parts.routes.add(url, [method].flat(), config?.action);
    route.bodyLimit = bodyLimitOf(config?.takesLargeBody, parts.maxBodyBytes);
  });
  instance.addHook('onRequest', (request, reply, done) => {
    parts.pipelined.take(request.raw, reply.raw, () => {
      admit(request, reply, parts, done);
    });
  });
  instance.addHook('preHandler', async (request) => {
    await inSlices(noteUnknownIn(request, parts.isStrict));
  });
  // The last hook: only the handler behind it runs on behalf of the caller.
  instance.addHook('preHandler', ({ routeOptions: { config } }, reply, done) => {
    const { writes = true } = config;
    actFor(new RequestCaller(reply, parts.queryTimeoutMs, writes), done);
  });
  instance.addHook('onSend', (request, reply, payload, done) => {
    setWarnings(request, reply);
    done(null, payload);
  });
  installContentEncoding(instance);
  endConnectionsWhenClosing(instance);
  instance.setErrorHandler((error, request, reply) => {
    parts.errors.send(error, request, reply);
  });
  instance.setNotFoundHandler((request, reply) => {
    answerUnrouted(request, reply, parts.routes);
  });
  instance.server.maxConnections = MAX_CONNECTIONS;
  parts.connections.watch(instance.server);
  // `admit` rejects expectations like other faults; Node's own rejection has no body.
  instance.server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    instance.server.emit('request', request, response);
  });
  instance.server.on('connect', (_request: IncomingMessage, socket: Socket) => {
    parts.connections.reject(socket, { status: 405, message: 'CONNECT operation not supported' });
  });
}

/** Only calls that write values have a use for large bodies. */
function bodyLimitOf(takesLargeBody: boolean | undefined, maxBodyBytes: number): number {
  return takesLargeBody === true ? maxBodyBytes : Math.min(maxBodyBytes, MAX_SMALL_BODY_BYTES);
}

/** Runs before the body is read, so that a rejected client cannot make the server read a large one. */
function admit(request: WireRequest, reply: WireReply, parts: WireDeps, done: HookHandlerDoneFunction): void {
  void reply.headers({ [PROTOCOL_HEADER]: answeredProtocol(request), ...SECURITY_HEADERS });
  try {
    parts.ownHosts?.rejectCrossSite(request.headers.host, request.server.server);
  } catch (error) {
    done(error as Error);
    return;
  }
  const { access = 'ordinary' } = request.routeOptions.config;
  parts.crossOrigin.mark(request, reply);
  if (parts.crossOrigin.answersPreflight(request, reply)) return;
  try {
    rejectExpectation(request.headers.expect);
    if (!parts.crossOrigin.allows(request.headers.origin)) rejectCrossSite(request.raw);
    request.actor = parts.authenticator.actorOf(access, request.headers.authorization);
    rejectNul(request.raw.url ?? '');
    const tunnelled = tunnelledMethodOf(request.raw);
    // The body of a tunnelled request is a query, whichever route it leads to.
    const { takesLargeBody } = request.routeOptions.config;
    const limit = bodyLimitOf(tunnelled === undefined && takesLargeBody, parts.maxBodyBytes);
    if (!request.is404 || tunnelled !== undefined) parts.bodies.admit(request.raw, reply.raw, limit);
    if (tunnelled !== undefined) {
      void routeTunnelled(request, reply, tunnelled, limit).catch(done);
      return;
    }
  } catch (error) {
    done(error as Error);
    return;
  }
  if (request.is404) {
    answerUnrouted(request, reply, parts.routes);
    return;
  }
  if (!isAnswerWelcome(request)) {
    done(new TransportError(406, 'The header Accept names no type that is answered here: application/json'));
    return;
  }
  // Fastify rejects media types that it does not know; here every body is JSON.
  if (request.headers['content-type'] !== undefined) request.headers['content-type'] = 'application/json';
  done();
}

/** **Errors**: 417 for an expectation that the server cannot meet. */
function rejectExpectation(expectation: string | undefined): void {
  if (expectation === undefined || /^(?:100-continue)?$/i.test(expectation.trim())) return;
  throw new TransportError(417, `Expect: "${expectation}" cannot be met; supported: 100-continue`);
}

/** Public routes and other dialects are no resources of the contract: probes and browsers call them. */
function isAnswerWelcome({ headers, routeOptions: { config } }: WireRequest): boolean {
  return config.access === 'public' || config.dialect !== undefined || acceptsJson(headers.accept);
}

/** Routes a tunnelled request again, as the request that it stands for. */
async function routeTunnelled(
  request: WireRequest,
  reply: WireReply,
  method: TunnelledMethod,
  maxBytes: number,
): Promise<void> {
  await leaveTunnel(request.raw, { method, target: request.originalUrl, maxBytes });
  reply.hijack();
  request.server.routing(request.raw, reply.raw);
}

function answerUnrouted(request: WireRequest, reply: WireReply, routes: RouteTable): void {
  const target = request.raw.url ?? '/';
  const answer = routes.answerUnrouted({ method: request.method, target, action: actionOf(target) });
  if (answer.kind === 'options') void reply.code(204).header('allow', answer.allow).send();
  else void reply.send(answer.error);
}
