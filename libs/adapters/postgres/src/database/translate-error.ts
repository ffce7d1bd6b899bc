import { FaultError, StratalogError, TimeLimitError, UnavailableError } from '@stratalog/domain';

/** SQLSTATE classes of transient failures: connection, operator intervention, resources, rollback of a transaction. */
const TRANSIENT_CLASSES = new Set(['08', '57', '53', '40', '55']);
/** The server ended a statement at its time limit. A cancelled query of a request has an error of its own. */
const STATEMENT_ENDED = '57014';
const TRANSIENT_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/**
 * Messages of the driver and of TypeORM without a code that report a lost or closed connection. TypeORM releases its runner
 * when a connection is lost, and has no driver once the process stops.
 */
const LOST_CONNECTION =
  /connection terminated|connection ended|client has encountered a connection error|not queryable|timeout exceeded when trying to connect|query runner already released|driver not connected/i;

/** Translates a driver error into one of ours and keeps the cause; passes our own errors through. */
export function translateError(error: unknown): StratalogError {
  if (error instanceof StratalogError) return error;
  if ((error as { readonly code?: unknown } | null)?.code === STATEMENT_ENDED)
    return new TimeLimitError('The store ended a statement that took too long', { cause: error });
  return isTransient(error)
    ? new UnavailableError('The store did not answer', { cause: error })
    : new FaultError('The store rejected a statement', { cause: error });
}

function isTransient(error: unknown): boolean {
  // By its members: an error of Node's own may come from another realm, where `instanceof` fails.
  const { name, code, message = '' } = (error ?? {}) as Partial<Error & { readonly code: unknown }>;
  // The wait for a free connection timed out.
  if (name === 'TimeoutError') return true;
  if (typeof code === 'string') {
    return TRANSIENT_CODES.has(code) || (code.length === 5 && TRANSIENT_CLASSES.has(code.slice(0, 2)));
  }
  return LOST_CONNECTION.test(message);
}
