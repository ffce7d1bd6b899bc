import type { IncomingMessage } from 'node:http';
import { ForbiddenError } from '@stratalog/domain';

/** Calls by these methods change nothing, unless their route says so, and a page of another site cannot read their answers. */
const SAFE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
/** Any other value counts as another site: a newer browser's word, or a header that is there twice. */
const OWN_SITES: ReadonlySet<string> = new Set(['same-origin', 'none']);
const WEB = /^https?:$/;

/**
 * Rejects calls that a page of another origin makes a browser send. A browser sends a form or plain text to
 * any address without a preflight request, and a catalog on the reader's own machine would accept it.
 * Browsers report the origin of a call in `Sec-Fetch-Site` and `Origin`. Other clients send neither header
 * and pass. `writes`: whether the route changes something, also by `GET`, which a picture in a page can call.
 *
 * **Errors**: `ForbiddenError` that names the header.
 * **Source**: Fetch Metadata Request Headers, section 2.4; RFC 6454, section 7.
 */
export function rejectCrossSite(
  { method, headers }: Pick<IncomingMessage, 'method' | 'headers'>,
  writes = false,
): void {
  if (SAFE.has(method) && !writes) return;
  const site = headers['sec-fetch-site'];
  if (site !== undefined && !OWN_SITES.has(site)) {
    throw new ForbiddenError(`Pages of other sites may not call the catalog (Sec-Fetch-Site: ${site})`);
  }
  const { origin } = headers;
  const host = calledHost(headers);
  if (origin !== undefined && !isOwnOrigin(origin, host)) {
    throw new ForbiddenError(
      `Pages of other sites may not call the catalog (Origin: ${origin}, Host: ${host ?? 'none'})`,
    );
  }
}

/**
 * Returns the host name that the browser called, perhaps through a proxy. A page of another site cannot set
 * this header without a preflight request, and the server rejects those.
 */
function calledHost(headers: IncomingMessage['headers']): string | undefined {
  const forwarded = headers['x-forwarded-host'];
  const first = typeof forwarded === 'string' ? forwarded.split(',', 1)[0]?.trim() : undefined;
  return first === undefined || first === '' ? headers.host : first;
}

/** Parses the host with the origin's scheme, so that an explicit default port compares as equal. */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const page = parseUrl(origin);
  if (page === undefined || host === undefined || !WEB.test(page.protocol)) return false;
  return parseUrl(`${page.protocol}//${host}`)?.host === page.host;
}

/** An opaque origin is the word `null`, which is no URL. */
function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
