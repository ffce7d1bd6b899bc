import { errors, type TransportRequestOptions } from '@elastic/elasticsearch';
import { FaultError, InvalidRequestError, StratalogError, UnavailableError } from '@stratalog/model';

/** What the engine says of one request or of one item of a bulk. */
export interface EngineFailure {
  readonly status: number;
  readonly reason: string;
}

/** The engine's own words about a failure, `undefined` when it did not answer at all. */
export function toFailure(error: unknown): EngineFailure | undefined {
  if (!(error instanceof errors.ResponseError)) return undefined;
  return { status: error.statusCode ?? 0, reason: error.message };
}

/**
 * True when only the request itself can be to blame. Everything else (overload, a node that is away, an index that is gone or
 * blocked, rights that were taken) is a state of the engine, and the same request will do once that is mended.
 */
export function isRejection(status: number): boolean {
  return status === 400 || status === 413;
}

/** Turns a client's error into one of ours, the cause kept; errors of ours pass. What the engine says of itself is for the log only. */
export function translateError(error: unknown): StratalogError {
  if (error instanceof StratalogError) return error;
  const failure = toFailure(error);
  if (failure !== undefined && isRejection(failure.status)) {
    if (/too_many_(?:nested_)?clauses/.test(failure.reason)) {
      return new InvalidRequestError('The query has more parts than the search engine takes', {
        cause: error,
      });
    }
    return new FaultError('The search engine refused a request', { cause: error });
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

/** Awaits an answer of the engine; errors come out translated. */
export async function answered<T>(request: Promise<T>): Promise<T> {
  try {
    return await request;
  } catch (error) {
    throw translateError(error);
  }
}

/** Longer than any question of a request may take. */
const QUESTION_TIMEOUT_MS = 60_000;

/** How a request is sent that its caller may end: the engine ends a search whose connection is closed. */
export function abortedBy(signal: AbortSignal | undefined): TransportRequestOptions {
  return signal === undefined ? {} : { signal, requestTimeout: QUESTION_TIMEOUT_MS };
}
