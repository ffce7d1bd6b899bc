import type { IncomingMessage } from 'node:http';

/** Fastify never reads the bodies of these methods. */
const BODYLESS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'TRACE']);

/** True when a request has a body that the server reads. */
export function hasBody({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  if (BODYLESS.has(method)) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
