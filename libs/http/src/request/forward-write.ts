import { InvalidRequestError, UnavailableError } from '@stratalog/domain';
import { forwardCall, headersForCaller, type ForwardedAnswer, type ForwardedCall } from './forward-call';
import type { WireRequest } from './wire';

/** Where the routes are that another process of the catalog serves. */
export interface WholeCatalog {
  /** The address of its proxy. */
  readonly url: string;
  /** The header in which that one accepts users whom a proxy in front of it has authenticated. */
  readonly userHeader?: string | undefined;
}

/** **Units**: ms. More than any commit takes. */
const CALL_LIMIT_MS = 60_000;

/**
 * Calls a route that writes on behalf of the caller of a request: in this process, or at `whole` where another process serves it, with what
 * identifies the caller.
 *
 * @param whole `undefined`: this process serves all routes; `null`: another serves them, and no setting says where
 *
 * **Errors**: those of {@link forwardCall}; `InvalidRequestError` that names the setting; `UnavailableError` when nothing answers.
 */
export async function forwardWrite(
  request: WireRequest,
  call: ForwardedCall,
  whole: WholeCatalog | null | undefined,
): Promise<ForwardedAnswer> {
  if (whole === undefined) return forwardCall(request, call);
  if (whole === null) {
    throw new InvalidRequestError('This catalog takes such changes once STRATALOG_BASE_URL has its address');
  }
  const { method, target, headers, body } = call;
  try {
    return await fetch(`${whole.url}${target}`, {
      method,
      headers: { ...headers, ...headersForCaller(request, whole.userHeader) },
      ...(body === undefined ? {} : { body }),
      signal: AbortSignal.timeout(CALL_LIMIT_MS),
    });
  } catch (cause) {
    throw new UnavailableError('The catalog does not answer at STRATALOG_BASE_URL', { cause });
  }
}
