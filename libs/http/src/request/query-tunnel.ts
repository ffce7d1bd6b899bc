import type { IncomingMessage } from 'node:http';
import { InvalidRequestError } from '@stratalog/model';
import { bodyTooLarge } from './body-budget';

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

/**
 * Reads the body, and turns the request into the one that it stands for.
 *
 * **Shape**: `target` is the target as it was sent.
 *
 * **Errors**: `TooLargeError` for a longer body than `maxBytes`; `InvalidRequestError` when it ends early.
 */
export async function leaveTunnel(
  request: IncomingMessage,
  { method, target, maxBytes }: { method: TunnelledMethod; target: string; maxBytes: number },
): Promise<void> {
  const query = await readText(request, maxBytes);
  request.method = method;
  const joint = target.includes('?') ? '&' : '?';
  request.url = query === '' ? target : `${target}${joint}${query}`;
  for (const name of BODY_HEADERS) Reflect.deleteProperty(request.headers, name);
}

async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // The rejection of a large body reads on for a while, so that the client receives it. A loop that
    // destroyed the request would lose the rejection.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new InvalidRequestError('The request ended before its body was complete', { cause: error });
  }
  if (length > maxBytes) throw bodyTooLarge(maxBytes);
  return Buffer.concat(chunks).toString('latin1').trim();
}
