import type { WireReply, WireRequest } from '../request/wire';

/** Headers of answers that a page may read besides those that it always may. */
const EXPOSED = [
  'X-RestLi-Protocol-Version',
  'X-RestLi-Error-Response',
  'X-Stratalog-Position',
  'X-Stratalog-Lag',
  'X-Stratalog-Log-Position',
  'X-Stratalog-Warnings',
  'Retry-After',
].join(', ');
const METHODS = 'GET, HEAD, POST, DELETE, OPTIONS';
/** How long a browser need not ask again. */
const MAX_AGE_SECONDS = '600';

/**
 * Lets pages of other sites call the catalog, those alone that are named; by default there are none.
 *
 * **Source**: the Fetch standard, section 3.2.
 */
export class CrossOrigin {
  private readonly origins: ReadonlySet<string>;

  /** Each as a browser sends it: scheme, host, and port unless it is the scheme's own. */
  constructor(origins: readonly string[]) {
    this.origins = new Set(origins.map((origin) => new URL(origin).origin));
  }

  allows(origin: string | undefined): boolean {
    return origin !== undefined && this.origins.has(origin);
  }

  /** Tells the browser that the answer is for the page. */
  mark(request: WireRequest, reply: WireReply): void {
    if (this.origins.size === 0) return;
    void reply.header('vary', 'origin');
    const { origin } = request.headers;
    if (origin === undefined || !this.allows(origin)) return;
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED });
  }

  /** Answers a browser's question whether a page may call, which carries no token; false when it is no such question. */
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
