import { errors, type TransportRequestOptions } from '@elastic/elasticsearch';
import { FaultError, InvalidRequestError, StratalogError, UnavailableError } from '@stratalog/domain';

/** The engine's report of a failed request, or of a failed item of a bulk request. */
export interface EngineFailure {
  readonly status: number;
  readonly reason: string;
}

/** Reads the engine's report of a failure; `undefined` when it did not answer. */
export function toFailure(error: unknown): EngineFailure | undefined {
  if (!(error instanceof errors.ResponseError)) return undefined;
  return { status: error.statusCode ?? 0, reason: error.message };
}

/**
 * True when the request itself is at fault. All other failures are states of the engine: overload, a lost node, a
 * missing or blocked index, revoked rights. The same request succeeds once that is repaired.
 */
export function isRejection(status: number): boolean {
  return status === 400 || status === 413;
}

/**
 * Translates a client error into one of ours and keeps the cause; passes our own errors through. The engine's own
 * message is for the log only.
 */
export function translateError(error: unknown): StratalogError {
  if (error instanceof StratalogError) return error;
  const failure = toFailure(error);
  if (failure !== undefined && isRejection(failure.status)) {
    if (/too_many_(?:nested_)?clauses/.test(failure.reason)) {
      return new InvalidRequestError('The query has more parts than the search engine takes', {
        cause: error,
      });
    }
    return new FaultError('The search engine rejected a request', { cause: error });
  }
  if (failure !== undefined) {
    return new UnavailableError(`The search engine cannot do what it was asked (status ${failure.status})`, {
      cause: error,
    });
  }
  return error instanceof errors.ElasticsearchClientError
    ? new UnavailableError('The search engine did not answer', { cause: error })
    : new FaultError('A request to the search engine failed', { cause: error });
}

/** Awaits an answer of the engine and translates errors. */
export async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw translateError(error);
  }
}

/** Exceeds the duration of any query of a request. */
const QUERY_TIMEOUT_MS = 60_000;

/**
 * Builds transport options for a request that its caller may cancel: the engine ends a search whose connection closes.
 */
export function abortedBy(signal: AbortSignal | undefined): TransportRequestOptions {
  return signal === undefined ? {} : { signal, requestTimeout: QUERY_TIMEOUT_MS };
}
