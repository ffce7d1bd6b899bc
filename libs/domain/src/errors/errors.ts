/**
 * The closed list of error codes that cross a library's border. Only `libs/http` maps a code to an HTTP status.
 *
 * *The caller can fix it*: the message names the exact field and value. *A fault*: the caller gets a reference, and
 * the log keeps the cause.
 */
export type ErrorCode =
  | 'invalid-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'mismatched-request'
  | 'conflict'
  | 'invalid-proposal'
  | 'unknown-names'
  | 'too-large'
  | 'throttled'
  | 'unavailable'
  | 'not-caught-up'
  | 'time-limit'
  | 'cancelled'
  | 'offset-conflict'
  | 'invalid-setting'
  | 'invalid-model'
  | 'fault';

export interface StratalogErrorOptions {
  readonly cause?: unknown;
  readonly details?: Readonly<Record<string, string | number>>;
}

export abstract class StratalogError extends Error {
  abstract readonly code: ErrorCode;
  /** True when the same call may succeed later without a change by the caller. */
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

/** Two parameters of the request are each valid but contradict each other. */
export class MismatchedRequestError extends StratalogError {
  readonly code = 'mismatched-request';
}

/** What the request would do contradicts the present state; the message says what stands in the way. */
export class ConflictError extends StratalogError {
  readonly code = 'conflict';
}

/** The call requires a token and carries none, or an unknown one. */
export class UnauthenticatedError extends StratalogError {
  readonly code = 'unauthenticated';
}

/** The catalog rejects the call although it knows the caller: it lacks a scope, or the call is a cross-site request. */
export class ForbiddenError extends StratalogError {
  readonly code = 'forbidden';
}

/** The request names something that does not exist. */
export class NotFoundError extends StratalogError {
  readonly code = 'not-found';
}

/** A proposal does not fit the model: unknown type or aspect, wrong urn, or a value that its schema rejects. */
export class InvalidProposalError extends StratalogError {
  readonly code = 'invalid-proposal';
}

/** A strict request contains unknown names. */
export class UnknownNamesError extends StratalogError {
  readonly code = 'unknown-names';
}

/** A body or proposal exceeds the configured limit. */
export class TooLargeError extends StratalogError {
  readonly code = 'too-large';
}

/** Too many calls arrived at once. The catalog did not accept this call; the caller may repeat it. */
export class ThrottledError extends StratalogError {
  readonly code = 'throttled';
  override readonly retryable = true;
}

/** A store, log or index did not answer. Nothing was lost; the caller may repeat the call. */
export class UnavailableError extends StratalogError {
  readonly code = 'unavailable';
  override readonly retryable = true;
}

/** An index did not reach the position that the read asked for in time. */
export class NotCaughtUpError extends StratalogError {
  readonly code = 'not-caught-up';
  override readonly retryable = true;
}

/** A query, or a statement of the store, exceeded its time limit. The same one may succeed under less load. */
export class TimeLimitError extends StratalogError {
  readonly code = 'time-limit';
  override readonly retryable = true;
}

/** The client disconnected before its answer was ready. No answer is sent. */
export class CancelledError extends StratalogError {
  readonly code = 'cancelled';
}

/** Another writer moved the log's committed offset first. The caller reads the stored offset again. */
export class OffsetConflictError extends StratalogError {
  readonly code = 'offset-conflict';
  override readonly retryable = true;
}

/** A setting has an invalid value. The process does not start. */
export class InvalidSettingError extends StratalogError {
  readonly code = 'invalid-setting';
}

/** A model file is unreadable or contradicts itself. The message names file, line and column. */
export class InvalidModelError extends StratalogError {
  readonly code = 'invalid-model';
}

/** A task failed, and its error's code is kept: a call that waited for the task ends as if it had done the work itself. */
export class FailedTaskError extends StratalogError {
  constructor(
    readonly code: ErrorCode,
    message: string,
  ) {
    super(message);
  }
}

/** A defect of the catalog. The caller sees only a reference. */
export class FaultError extends StratalogError {
  readonly code = 'fault';
}
