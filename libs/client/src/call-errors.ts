import type { FetchedAnswer } from './fetch';

/** An answer of any status, read to its end. */
export interface Exchanged extends Pick<FetchedAnswer, 'status' | 'headers'> {
  readonly text: string;
}

/** The catalog rejected the call, or failed: a status from 400. The message is the catalog's. */
export class CallRejectedError extends Error {
  readonly status: number;
  readonly headers: FetchedAnswer['headers'];
  /** The whole answer as it came. */
  readonly text: string;

  constructor(message: string, { status, headers, text }: Exchanged) {
    super(message);
    this.name = 'CallRejectedError';
    this.status = status;
    this.headers = headers;
    this.text = text;
  }

  /** The same call may succeed later. */
  get isTransient(): boolean {
    return this.status === 429 || this.status === 503;
  }
}

/** No answer arrived. The call may have been carried out nevertheless. */
export class NoAnswerError extends Error {
  constructor(server: string, cause: unknown) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    super(`no answer from ${server}: ${reason}`, { cause });
    this.name = 'NoAnswerError';
  }
}

/** The answer has another form than the catalog's: another server answered. */
export class UnexpectedAnswerError extends Error {
  constructor(
    server: string,
    readonly status: number,
    cause?: unknown,
  ) {
    super(`${server} answered something that is not from a catalog (HTTP status ${String(status)})`, {
      cause,
    });
    this.name = 'UnexpectedAnswerError';
  }
}
