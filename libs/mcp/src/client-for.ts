import { ApiClient, type Fetch } from '@stratalog/client';
import { forwardCall, headersForCaller, type WireRequest } from '@stratalog/http';

/** **Units**: ms. More than any commit takes. */
const CALL_LIMIT_MS = 60_000;

/**
 * Makes the client by which tools call the catalog on behalf of the caller of a request: in this process, and by HTTP for writes that
 * another process serves.
 */
export function clientFor(
  request: WireRequest,
  { catalogUrl, userHeader }: { readonly catalogUrl?: string; readonly userHeader?: string },
): Readonly<Record<'reads' | 'writes', ApiClient>> {
  const here: Fetch = (target, options) => forwardCall(request, { ...options, target });
  const reads = new ApiClient({ server: '', fetch: here });
  if (catalogUrl === undefined) return { reads, writes: reads };
  const ofCaller = headersForCaller(request, userHeader);
  const there: Fetch = (url, { headers, ...options }) =>
    fetch(url, {
      ...options,
      headers: { ...headers, ...ofCaller },
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    });
  return { reads, writes: new ApiClient({ server: catalogUrl, fetch: there }) };
}
