import type { WireReply, WireRequest } from '../request/wire';

/** Answer headers that a page may read in addition to the CORS-safelisted ones. */
const EXPOSED = [
  'X-RestLi-Protocol-Version',
  'X-RestLi-Error-Response',
  'X-Stratalog-Position',
  'X-Stratalog-Lag',
  'X-Stratalog-Log-Position',
  'X-Stratalog-Warnings',
  'Retry-After',
].join(', ');
const METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
/** How long a browser caches a preflight result. */
const MAX_AGE_SECONDS = '600';

/**
 * Lets the configured sites call the catalog from a browser; there are none by default.
 *
 * **Source**: the Fetch standard, section 3.2.
 */
export class CrossOrigin {
  private readonly origins: ReadonlySet<string>;

  /** Each origin as a browser sends it: scheme, host, and port unless it is the scheme's default. */
  constructor(origins: readonly string[]) {
    this.origins = new Set(origins.map((origin) => new URL(origin).origin));
  }

  allows(origin: string | undefined): boolean {
    return origin !== undefined && this.origins.has(origin);
  }

  /** Adds the headers that let a browser hand the answer to the page. */
  mark(request: WireRequest, reply: WireReply): void {
    if (this.origins.size === 0) return;
    void reply.header('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !this.allows(origin)) return;
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
  }

  /** Answers a CORS preflight request, which carries no token; returns false for any other request. */
  answersPreflight(request: WireRequest, reply: WireReply): boolean {
    const { method, headers } = request;
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    if (!this.allows(headers.origin)) return false;
    const wanted = headers['access-control-request-headers'];
    void reply.code(204).headers({
      'access-control-allow-methods': METHODS,
      'access-control-max-age': MAX_AGE_SECONDS,
      ...(wanted === undefined ? {} : { 'access-control-allow-headers': wanted }),
    });
    void reply.send();
    return true;
  }
}
