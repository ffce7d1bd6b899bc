import type { IncomingHttpHeaders } from 'node:http';

/**
 * Headers of one connection, which must not be forwarded. **Source**: RFC 9110, section 7.6.1; RFC 9112,
 * section 9.3.
 */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
]);
/** These identify the host and the end of a message; naming them in `Connection` has no effect. */
const KEPT: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * Removes the headers of one connection: the hop-by-hop headers and those that `Connection` names. The body
 * is framed again: a chunked body stays chunked.
 */
export function dropHopHeaders(headers: IncomingHttpHeaders): void {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...HOP_BY_HOP, ...named]) if (!KEPT.has(name)) Reflect.deleteProperty(headers, name);
  if (headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
}
