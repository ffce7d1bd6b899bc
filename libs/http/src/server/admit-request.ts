import type { Principal } from '@stratalog/domain';
import type { HookHandlerDoneFunction } from 'fastify';
import type { Authenticator } from '../access/authenticator';
import { authorizeRoute } from '../request/authorize-request';
import type { CallLimits } from '../access/call-limits';
import type { OwnHosts } from '../access/own-hosts';
import { rejectCrossSite } from '../access/reject-cross-site';
import { TransportError } from '../errors/transport-error';
import { endWithAccess, takeCaller } from './end-with-access';
import { authenticateWithin, limitRate } from './limit-calls';
import { acceptsJson, namesType } from '../request/accepts-json';
import { actionOf } from '../request/action-constraint';
import { hasBody } from '../request/body/has-body';
import { bodyTooLarge } from '../request/body/read-body';
import type { MemoryBudget } from '../admission/memory-budget';
import type { RequestMemory } from '../admission/request-memory';
import { leaveTunnel, tunnelledMethodOf, type TunnelledMethod } from '../request/query-tunnel';
import { rejectNul } from '../request/reject-nul';
import { computeBodyLimit } from '../request/request-limits';
import { PROTOCOL_HEADER, answeredProtocol, type WireReply, type WireRequest } from '../request/wire';
import type { CrossOrigin } from '../response/cross-origin';
import { SECURITY_HEADERS } from '../response/security-headers';
import type { RouteTable } from '../routing/route-table';

export interface AdmissionDeps {
  readonly maxBodyBytes: number;
  readonly memory: MemoryBudget;
  readonly routes: RouteTable;
  readonly authenticator: Authenticator;
  readonly crossOrigin: CrossOrigin;
  readonly ownHosts: OwnHosts | undefined;
  readonly limits: CallLimits | undefined;
}

/** Runs before the body is read, so that a rejected client cannot make the server read a large one. */
export function admit(
  request: WireRequest,
  reply: WireReply,
  deps: AdmissionDeps,
  done: HookHandlerDoneFunction,
): void {
  void reply.headers({ [PROTOCOL_HEADER]: answeredProtocol(request), ...SECURITY_HEADERS });
  try {
    deps.ownHosts?.rejectCrossSite(request.headers.host, request.server.server);
  } catch (error) {
    done(error as Error);
    return;
  }
  deps.crossOrigin.mark(request, reply);
  if (deps.crossOrigin.answersPreflight(request, reply)) return;
  let caller: ReturnType<Authenticator['authenticate']>;
  try {
    rejectExpectation(request.headers.expect);
    if (!deps.crossOrigin.allows(request.headers.origin)) {
      rejectCrossSite(request.raw, request.routeOptions.config.writes);
    }
    caller = authenticateWithin(request, deps);
  } catch (error) {
    done(error as Error);
    return;
  }
  const admitAs = (principal: Principal): void => {
    const admission = { deps, caller: principal, done };
    let standing: Promise<void> | undefined;
    try {
      standing = takeCaller(request, principal, deps.authenticator);
    } catch (error) {
      done(error as Error);
      return;
    }
    if (standing === undefined) admitCaller(request, reply, admission);
    else {
      void standing.then(() => {
        admitCaller(request, reply, admission);
      }, done);
    }
  };
  // Most callers are known without a lookup, and wait for none.
  if ('then' in caller) void caller.then(admitAs, done);
  else admitAs(caller);
}

interface Admission {
  readonly deps: AdmissionDeps;
  readonly caller: Principal;
  readonly done: HookHandlerDoneFunction;
}

function admitCaller(request: WireRequest, reply: WireReply, { deps, caller, done }: Admission): void {
  try {
    rejectNul(request.raw.url ?? '');
    const tunnelled = tunnelledMethodOf(request.raw);
    // A tunnelled request comes again, by the route that it stands for.
    if (tunnelled === undefined) {
      limitRate(request, caller, deps.limits);
      authorizeRoute(request);
    }
    // The body of a tunnelled request is a query, whichever route it leads to.
    const { takesLargeBody, isStream } = request.routeOptions.config;
    if (isStream === true) endWithAccess(request, reply, deps.authenticator);
    const limit = computeBodyLimit(tunnelled === undefined && takesLargeBody, deps.maxBodyBytes);
    if (!request.is404 || tunnelled !== undefined) {
      request.memory = deps.memory.open(request.raw, reply.raw);
      takeMemory(request, request.memory, limit);
      if (tunnelled !== undefined) {
        const { memory } = request;
        void routeTunnelled(request, reply, { method: tunnelled, maxBytes: limit, memory }).catch(done);
        return;
      }
    }
  } catch (error) {
    done(error as Error);
    return;
  }
  if (request.is404) {
    answerUnrouted(request, reply, deps.routes);
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
  const { access, dialect, isStream, otherType } = config;
  if (access === 'public' || dialect !== undefined || isStream === true) return true;
  return acceptsJson(headers.accept) || (otherType !== undefined && namesType(headers.accept, otherType));
}

/**
 * Counts the head of a request, and rejects a body that is too large or has no room. Probes of public routes are
 * answered whatever else is under way.
 */
function takeMemory({ raw, routeOptions }: WireRequest, memory: RequestMemory, maxBytes: number): void {
  if (routeOptions.config.access !== 'public') memory.takeHead(raw.url ?? '');
  if (!hasBody(raw)) return;
  const declared = Number(raw.headers['content-length'] ?? 0);
  if (declared > maxBytes) throw bodyTooLarge(maxBytes);
  memory.expectBody(declared);
}

interface Tunnel {
  readonly method: TunnelledMethod;
  readonly maxBytes: number;
  readonly memory: RequestMemory;
}

/** Routes a tunnelled request again, as the request that it stands for. */
async function routeTunnelled(request: WireRequest, reply: WireReply, tunnel: Tunnel): Promise<void> {
  await leaveTunnel(request.raw, { ...tunnel, target: request.originalUrl });
  tunnel.memory.answered();
  reply.hijack();
  request.server.routing(request.raw, reply.raw);
}

export function answerUnrouted(request: WireRequest, reply: WireReply, routes: RouteTable): void {
  const target = request.raw.url ?? '/';
  const answer = routes.answerUnrouted({ method: request.method, target, action: actionOf(target) });
  if (answer.kind === 'options') void reply.code(204).header('allow', answer.allow).send();
  else void reply.send(answer.error);
}
