import { forwardCall, type ForwardedAnswer, type ForwardedCall } from './forward-call';
import type { WireRequest } from './wire';

/** **Units**: ms. More than any commit takes. */
const CALL_LIMIT_MS = 60_000;

/**
 * Calls a route that writes on behalf of the caller of a request: in this process, or at `catalogUrl` where another process serves it, with the
 * credentials of the caller.
 *
 * **Errors**: those of {@link forwardCall}; `TypeError` when nothing answers at the address.
 */
export async function forwardWrite(
  request: WireRequest,
  call: ForwardedCall,
  catalogUrl: string | undefined,
): Promise<ForwardedAnswer> {
  if (catalogUrl === undefined) return forwardCall(request, call);
  const { authorization } = request.headers;
  const { method, target, headers, body } = call;
  return fetch(`${catalogUrl}${target}`, {
    method,
    headers: { ...headers, ...(authorization === undefined ? {} : { authorization }) },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(CALL_LIMIT_MS),
  });
}
