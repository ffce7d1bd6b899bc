import { ApiClient, type Fetch } from '@stratalog/client';
import { forwardCall, forwardWrite, type WholeCatalog, type WireRequest } from '@stratalog/http';

/** Makes the clients by which tools call the catalog on behalf of the caller of a request: reads in this process, writes where they are served. */
export function clientFor(
  request: WireRequest,
  whole: WholeCatalog | null | undefined,
): Readonly<Record<'reads' | 'writes', ApiClient>> {
  const reads: Fetch = (target, options) => forwardCall(request, { ...options, target });
  const writes: Fetch = (target, options) => forwardWrite(request, { ...options, target }, whole);
  return {
    reads: new ApiClient({ server: '', fetch: reads }),
    writes: new ApiClient({ server: '', fetch: writes }),
  };
}
