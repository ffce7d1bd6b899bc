import type { IncomingMessage } from 'node:http';

/** The framework never reads the bodies of these. */
const BODYLESS: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'TRACE']);

/** Whether a request comes with a body that is going to be read. */
export function hasBody({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  if (BODYLESS.has(method)) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
