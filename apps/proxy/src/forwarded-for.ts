import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { dropHopHeaders } from './end-to-end-headers';

const HEADER = 'x-forwarded-for';
/** Marks a request of this proxy to itself, whose header names the client already; others cannot know its value. */
const OWN_HEADER = 'x-stratalog-own';
const OWN = randomUUID();

/**
 * Appends the other end of the connection to `X-Forwarded-For`. Whatever the client wrote there stands before it, where apps believe it
 * only if the client is a trusted proxy.
 */
export function appendClient({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): void {
  const isOwn = headers[OWN_HEADER] === OWN;
  Reflect.deleteProperty(headers, OWN_HEADER);
  if (!isOwn) append(headers, socket.remoteAddress);
}

/** Returns the headers of a request that this proxy sends to itself for a client. */
export function toOwnHeaders(sent: Readonly<Record<string, string>>, client: string): IncomingHttpHeaders {
  const headers: IncomingHttpHeaders = { ...sent };
  dropHopHeaders(headers);
  append(headers, client);
  return { ...headers, [OWN_HEADER]: OWN };
}

function append(headers: IncomingHttpHeaders, client = 'unknown'): void {
  const before = headers[HEADER];
  headers[HEADER] = before === undefined ? client : `${String(before)}, ${client}`;
}
