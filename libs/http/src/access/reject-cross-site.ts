import type { IncomingMessage } from 'node:http';
import { ForbiddenError } from '@stratalog/model';

/** These change nothing, and a page of another site cannot read their answers. */
const SAFE: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const FOREIGN_SITES: ReadonlySet<string> = new Set(['cross-site', 'same-site']);
const WEB = /^https?:$/;

/**
 * Rejects calls that a page of another origin makes a browser send. A browser sends a form or plain text anywhere without
 * asking, and a catalog on the reader's own machine would take it. Browsers tell where a call comes from by
 * `Sec-Fetch-Site` and `Origin`; other clients send neither and are not concerned.
 *
 * **Errors**: `ForbiddenError` that names the header.
 * **Source**: Fetch Metadata Request Headers, section 2.4; RFC 6454, section 7.
 */
export function rejectCrossSite({ method, headers }: Pick<IncomingMessage, 'method' | 'headers'>): void {
  if (SAFE.has(method)) return;
  const site = headers['sec-fetch-site'];
  if (typeof site === 'string' && FOREIGN_SITES.has(site)) {
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
 * The name by which a browser called us, perhaps through a proxy. A page of another site cannot name one without asking first, which
 * is rejected.
 */
function calledHost(headers: IncomingMessage['headers']): string | undefined {
  const forwarded = headers['x-forwarded-host'];
  const first = typeof forwarded === 'string' ? forwarded.split(',', 1)[0]?.trim() : undefined;
  return first === undefined || first === '' ? headers.host : first;
}

/** Hosts are compared as the origin's scheme reads them, so that a default port may be written out. */
function isOwnOrigin(origin: string, host: string | undefined): boolean {
  const page = urlOf(origin);
  if (page === undefined || host === undefined || !WEB.test(page.protocol)) return false;
  return urlOf(`${page.protocol}//${host}`)?.host === page.host;
}

/** An opaque origin is the word `null`, which is no URL. */
function urlOf(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
