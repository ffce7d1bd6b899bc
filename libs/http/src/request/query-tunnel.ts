import type { IncomingMessage } from 'node:http';
import { InvalidRequestError } from '@stratalog/domain';
import type { RequestMemory } from '../admission/request-memory';
import { readBody } from './body/read-body';

const OVERRIDE_HEADER = 'x-http-method-override';
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** Headers that describe the body, which is the query. */
const BODY_HEADERS = [
  OVERRIDE_HEADER,
  'content-type',
  'content-length',
  'content-encoding',
  'transfer-encoding',
];

export type TunnelledMethod = 'GET' | 'DELETE';

/**
 * Returns the method that a tunnelled request stands for: its query is too long for a target, so its body
 * holds the query as a form.
 *
 * **Errors**: `InvalidRequestError` for another method than GET and DELETE, or a body that is no form.
 *
 * **Source**: `docs/wire-decisions.md`, Requests; Rest.li's page about the protocol.
 */
export function tunnelledMethodOf({ method, headers }: IncomingMessage): TunnelledMethod | undefined {
  const override = headers[OVERRIDE_HEADER];
  if (method !== 'POST' || typeof override !== 'string') return undefined;
  const meant = override.trim().toUpperCase();
  if (meant === 'POST') return undefined;
  if (meant !== 'GET' && meant !== 'DELETE') {
    throw new InvalidRequestError(
      `Header X-HTTP-Method-Override: "${override.slice(0, 100)}" is not GET or DELETE`,
    );
  }
  const contentType = headers['content-type'] ?? '';
  if (!FORM.test(contentType) || headers['content-encoding'] !== undefined) {
    throw new InvalidRequestError(
      'A request with X-HTTP-Method-Override must have its query as its body, of type application/x-www-form-urlencoded and not packed',
    );
  }
  return meant;
}

export interface LeftTunnel {
  readonly method: TunnelledMethod;
  readonly target: string;
  readonly maxBytes: number;
  readonly memory: RequestMemory;
}

/**
 * Reads the body, and turns the request into the one that it stands for.
 *
 * **Shape**: `target` is the target as it was sent.
 *
 * **Errors**: `TooLargeError` for a longer body than `maxBytes`; `InvalidRequestError` when it ends early.
 */
export async function leaveTunnel(
  request: IncomingMessage,
  { method, target, maxBytes, memory }: LeftTunnel,
): Promise<void> {
  const bytes = await readBody(request, { maxBytes, declaredBytes: undefined, memory });
  const query = bytes.toString('latin1').trim();
  memory.dropBody();
  request.method = method;
  const joint = target.includes('?') ? '&' : '?';
  request.url = query === '' ? target : `${target}${joint}${query}`;
  for (const name of BODY_HEADERS) Reflect.deleteProperty(request.headers, name);
}
