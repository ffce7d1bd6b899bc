import type { IncomingHttpHeaders } from 'node:http';

/** Of one connection, and no matter of the next. **Source**: RFC 9110, section 7.6.1; RFC 9112, section 9.3. */
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
/** Without these nobody would know whose message it is, and where it ends: naming them in `Connection` changes nothing. */
const KEPT: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding']);

/**
 * Takes away what is of the connection that a message came over: the headers of a hop, and those that `Connection` names. How its body
 * is cut is decided anew: a body in chunks goes on in chunks.
 */
export function dropHopHeaders(headers: IncomingHttpHeaders): void {
  const named = (headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase());
  for (const name of [...HOP_BY_HOP, ...named]) if (!KEPT.has(name)) Reflect.deleteProperty(headers, name);
  if (headers['transfer-encoding'] !== undefined) headers['transfer-encoding'] = 'chunked';
}
