import { HttpException } from '@nestjs/common';
import { StratalogError, type ErrorCode } from '@stratalog/domain';
import { RegistryError } from './registry-dialect';
import { TransportError } from '../errors/transport-error';

/** The only mapping from an error to a status. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  'invalid-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'mismatched-request': 412,
  conflict: 409,
  'invalid-proposal': 422,
  'unknown-names': 422,
  'too-large': 413,
  throttled: 429,
  unavailable: 503,
  'not-caught-up': 503,
  'time-limit': 503,
  // The status that proxies log for a cancelled call; no client receives the answer.
  cancelled: 499,
  'offset-conflict': 503,
  'invalid-setting': 500,
  'invalid-model': 500,
  fault: 500,
};

/** `fault`: the caller gets a reference only, and the server logs the cause under it. */
export type ErrorAnswer =
  | {
      readonly kind: 'rejected';
      readonly status: number;
      readonly message: string;
      readonly headers: Readonly<Record<string, string>>;
      /** The code of the schema registry's dialect. */
      readonly errorCode?: number;
    }
  | { readonly kind: 'fault' };

const RETRY_AFTER_SECONDS = '1';

/** Decides which details of an error a caller may see. */
export function toAnswer(error: unknown): ErrorAnswer {
  if (error instanceof StratalogError) {
    return rejected(STATUS[error.code], error.message, logPositionHeader(error.details));
  }
  if (error instanceof TransportError) return rejected(error.status, error.message, error.headers);
  if (error instanceof RegistryError) {
    const { status, message, errorCode } = error;
    return { kind: 'rejected', status, message, headers: {}, errorCode };
  }
  if (error instanceof HttpException) return rejected(error.getStatus(), error.message);
  return answerOfFramework(error);
}

function rejected(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): ErrorAnswer {
  if (status === 503 || status === 429)
    return { kind: 'rejected', status, message, headers: { 'retry-after': RETRY_AFTER_SECONDS, ...headers } };
  if (status === 401) return { kind: 'rejected', status, message, headers: { 'www-authenticate': 'Bearer' } };
  return status < 500 ? { kind: 'rejected', status, message, headers } : { kind: 'fault' };
}

/**
 * Returns the log position of a proposal that is in the log already. The catalog will apply it, whatever its
 * caller does.
 */
function logPositionHeader({ partition, offset }: StratalogError['details']): Record<string, string> {
  if (partition === undefined || offset === undefined) return {};
  return { 'x-stratalog-log-position': `${String(partition)}:${String(offset)}` };
}

/** Error codes of zlib and Brotli for input that is not in their format. */
const UNPACKING_CODE = /^(?:Z_|ERR_(?:_ERROR_|BROTLI))/;

/**
 * Trusts the status of the framework's own errors only: a driver's error may carry a `statusCode` too, and
 * internals in its message.
 */
function answerOfFramework(error: unknown): ErrorAnswer {
  if (typeof error !== 'object' || error === null) return { kind: 'fault' };
  const { code, statusCode, message } = error as { code?: unknown; statusCode?: unknown; message?: unknown };
  if (typeof code === 'string' && UNPACKING_CODE.test(code) && statusCode === 400) {
    return rejected(400, 'The body of the request is not packed as its Content-Encoding says');
  }
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return rejected(400, 'The path of the request is not percent-encoded UTF-8');
    case 'ERR_STREAM_PREMATURE_CLOSE':
    case 'ECONNRESET':
      return statusCode === 400
        ? rejected(400, 'The request ended before its body was complete')
        : { kind: 'fault' };
    default:
      return typeof code === 'string' && code.startsWith('FST_') && typeof statusCode === 'number'
        ? rejected(statusCode, String(message))
        : { kind: 'fault' };
  }
}

/**
 * The headers that mark a body as an error: the name in protocol 2.0.0, and the one in 1.0.0, whose clients
 * do not read the other.
 */
export const ERROR_HEADERS = {
  'x-restli-error-response': 'true',
  'x-linkedin-error-response': 'true',
} as const;

/**
 * A message names the wrong value, which may be megabytes long. The middle is cut, because the reason comes
 * at the end.
 */
const MAX_MESSAGE_LENGTH = 2_000;
const MAX_END_LENGTH = 600;

export const DOCS = '/restli/docs';
/** The page about the rules that hold for every call. */
export const COMMON_PAGE = `${DOCS}#to-know`;

export interface ErrorBodyDeps {
  /** The name part in `com.<vendor>.restli...`. */
  readonly vendor: string;
  readonly status: number;
  readonly message: string;
  /** The page that explains the call; by default the one for every call. */
  readonly docUrl?: string;
}

/**
 * Renders the error body that clients of the contract read.
 *
 * **Shape**: `{exceptionClass, message, stackTrace, status}`. An error that the caller can fix also has
 * `docUrl`, as in Rest.li's own error record. The stack trace is its first line only. A long message loses
 * its middle.
 */
export function errorBody({ vendor, status, message, docUrl = COMMON_PAGE }: ErrorBodyDeps): string {
  const shown = withoutMiddle(message);
  const exceptionClass = `com.${vendor}.restli.server.RestLiServiceException`;
  const stackTrace = `${exceptionClass} [HTTP Status:${status}]: ${shown}`;
  const page = status < 500 ? { docUrl } : {};
  return JSON.stringify({ exceptionClass, message: shown, stackTrace, status, ...page });
}

/** Cuts the middle out of a message that is too long to show. */
export function withoutMiddle(message: string): string {
  if (message.length <= MAX_MESSAGE_LENGTH) return message;
  return `${message.slice(0, MAX_MESSAGE_LENGTH - MAX_END_LENGTH)}…${message.slice(-MAX_END_LENGTH)}`;
}
