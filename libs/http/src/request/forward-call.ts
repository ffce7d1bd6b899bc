import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { currentCaller } from '@stratalog/concurrency';
import { CancelledError } from '@stratalog/domain';
import type { InjectOptions } from 'fastify';
import { RELAYED_USER_HEADER } from '../access/users/proxy-users';
import type { WireRequest } from './wire';

/** A call of another route of this process. */
export interface ForwardedCall {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** The part of an answer that clients of `fetch` read. */
export interface ForwardedAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  text(): Promise<string>;
}

/** Headers about the body and the connection of the request, and about the form of its answer. */
const OF_MESSAGE =
  /^(?:accept.*|connection|content-.*|expect|if-.*|keep-alive|mcp-.*|range|te|trailer|transfer-encoding|upgrade|x-http-method-override)$/;

/** What tells one caller from another, besides its address. */
const OF_CALLER = ['authorization', 'cookie', 'x-stratalog-session', 'x-datahub-actor', 'x-stratalog-strict'];

/**
 * Returns the headers by which a call to another process is one of the caller of a request: its credentials, the user for whom it speaks, how
 * strict it is, and its address, as proxies report it. `userHeader`: the header in which the catalog's proxy accepts the user that a
 * proxy has authenticated. No other header of the request is passed on: this process is trusted, and its caller may not be.
 */
export function headersForCaller(
  { headers, raw }: Pick<WireRequest, 'headers' | 'raw'>,
  userHeader: string | undefined,
): Readonly<Record<string, string>> {
  const own = OF_CALLER.flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
  const user = headers[RELAYED_USER_HEADER];
  const addresses = [headers['x-forwarded-for'], raw.socket.remoteAddress ?? 'unknown'];
  return {
    ...Object.fromEntries(own),
    ...(userHeader === undefined || typeof user !== 'string' ? {} : { [userHeader]: user }),
    'x-forwarded-for': addresses.filter((each) => each !== undefined).join(', '),
  };
}

/** Aborts when the caller of the request that made a call disconnects. */
const disconnections = new AsyncLocalStorage<AbortSignal>();

/** The signal of the request that made the running call; `undefined` for a call that came from a client. */
export function forwarderLeft(): AbortSignal | undefined {
  return disconnections.getStore();
}

/**
 * Calls a route of this process on behalf of the caller of a request: with its credentials, from its address, and by every rule for calls. It
 * ends when the caller disconnects, unless the route writes.
 *
 * **Errors**: `CancelledError` when the caller has disconnected already.
 */
export async function forwardCall(
  request: WireRequest,
  { method, target, headers, body }: ForwardedCall,
): Promise<ForwardedAnswer> {
  const { remoteAddress } = request.raw.socket;
  const left = currentCaller()?.disconnected;
  // A call without an address would count as one from this machine.
  if (remoteAddress === undefined || left === undefined) throw new CancelledError('The client went away');
  const call: InjectOptions = {
    method,
    url: target,
    headers: { ...ofCaller(request.headers), ...toLowerCase(headers) },
    ...(body === undefined ? {} : { payload: body }),
    remoteAddress,
  };
  // It is sent when it is awaited.
  const answer = await disconnections.run(left, async () => await request.server.inject(call));
  return {
    status: answer.statusCode,
    headers: { get: (name) => readHeader(answer.headers, name) },
    text: () => Promise.resolve(answer.payload),
  };
}

function ofCaller(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_MESSAGE.test(name)));
}

function toLowerCase(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function readHeader(headers: OutgoingHttpHeaders, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return value === undefined ? null : String(value);
}
