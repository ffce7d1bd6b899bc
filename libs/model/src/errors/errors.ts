/**
 * The closed list of errors that cross a library's border. Each has a stable `code`; only `libs/http` knows which status
 * a code becomes. *The caller can fix it*: the message names the exact field and value. *A fault*: the caller gets
 * a reference, the cause stays with us.
 */
export type ErrorCode =
  | 'invalid-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'mismatched-request'
  | 'invalid-proposal'
  | 'unknown-names'
  | 'too-large'
  | 'throttled'
  | 'unavailable'
  | 'not-caught-up'
  | 'time-limit'
  | 'cancelled'
  | 'log-moved'
  | 'invalid-setting'
  | 'invalid-model'
  | 'fault';

export interface StratalogErrorOptions {
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, string | number>>;
}

export abstract class StratalogError extends Error {
  abstract readonly code: ErrorCode;
  /** True when the same call may succeed later without any change by the caller. */
  readonly retryable: boolean = false;
  readonly details: Readonly<Record<string, string | number>>;

  constructor(message: string, options: StratalogErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.details = options.details ?? {};
  }
}

/** A parameter of the request is missing, malformed or out of bounds. */
export class InvalidRequestError extends StratalogError {
  readonly code = 'invalid-request';
}

/** Two parameters of the request, each right by itself, do not go together. */
export class MismatchedRequestError extends StratalogError {
  readonly code = 'mismatched-request';
}

/** The call needs a token and came with none, or with one that we do not know. */
export class UnauthenticatedError extends StratalogError {
  readonly code = 'unauthenticated';
}

/** The call comes from where no call may come from, whatever its token: a page of another site. */
export class ForbiddenError extends StratalogError {
  readonly code = 'forbidden';
}

/** What the request names does not exist. */
export class NotFoundError extends StratalogError {
  readonly code = 'not-found';
}

/** A proposal does not fit the model: unknown type or aspect, wrong urn, or a value that its schema rejects. */
export class InvalidProposalError extends StratalogError {
  readonly code = 'invalid-proposal';
}

/** The request names what nothing knows, and asks to be rejected for that. */
export class UnknownNamesError extends StratalogError {
  readonly code = 'unknown-names';
}

/** A body or proposal is larger than the configured limit. */
export class TooLargeError extends StratalogError {
  readonly code = 'too-large';
}

/** More came at once than there is room for; the call was not taken, and may be repeated. */
export class ThrottledError extends StratalogError {
  readonly code = 'throttled';
  override readonly retryable = true;
}

/** A store, log or index did not answer; nothing was lost, and the call may be repeated. */
export class UnavailableError extends StratalogError {
  readonly code = 'unavailable';
  override readonly retryable = true;
}

/** An index did not reach the position that the read asked to wait for. */
export class NotCaughtUpError extends StratalogError {
  readonly code = 'not-caught-up';
  override readonly retryable = true;
}

/** A question took longer than a question may; the same may be answered when there is less to do. */
export class TimeLimitError extends StratalogError {
  readonly code = 'time-limit';
  override readonly retryable = true;
}

/** The client went away before its answer was there; nobody is told. */
export class CancelledError extends StratalogError {
  readonly code = 'cancelled';
}

/** Another writer moved the log's offset first; who gets this reads the stored offset again. */
export class OffsetConflictError extends StratalogError {
  readonly code = 'log-moved';
  override readonly retryable = true;
}

/** A setting has a value that is not allowed; the start stops. */
export class InvalidSettingError extends StratalogError {
  readonly code = 'invalid-setting';
}

/** A model file cannot be read or contradicts itself; the message names file, line and column. */
export class InvalidModelError extends StratalogError {
  readonly code = 'invalid-model';
}

/** A defect of ours. The caller sees a reference only. */
export class FaultError extends StratalogError {
  readonly code = 'fault';
}
