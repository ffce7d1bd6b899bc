import { CallRejectedError, NoAnswerError, UnexpectedAnswerError } from '@stratalog/client';
import { CommandFailure, EXIT } from '../exit-code';
import { PROGRAM } from '../program';
import { toRejection } from './rejection';

/** The catalog rejected a call; the message is the catalog's. */
export class CallFailure extends CommandFailure {
  constructor(
    message: string,
    readonly rejection: CallRejectedError,
  ) {
    super(message, EXIT.rejected);
    this.name = 'CallFailure';
  }

  get status(): number {
    return this.rejection.status;
  }
}

/** Waits for a call to which a rejection is an answer too. **Errors**: those of the call, except {@link CallFailure}. */
export async function orFailure<T>(call: Promise<T>): Promise<T | CallFailure> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof CallFailure) return error;
    throw error;
  }
}

/** Makes the failure of a command from that of a call; other errors stay as they are. */
export function toCallFailure(error: unknown, address: string): unknown {
  if (error instanceof CallRejectedError) return new CallFailure(describeRejection(error, address), error);
  // What the transport has thrown.
  if (error instanceof NoAnswerError) return error.cause;
  if (error instanceof UnexpectedAnswerError) {
    return new CommandFailure(
      `${address} answered something that is not from a catalog (HTTP status ${String(error.status)}): check --server`,
      EXIT.rejected,
    );
  }
  return error;
}

/** Status and text of an answer. */
interface Rejected {
  readonly status: number;
  readonly text: string;
}

/** Says why a call was rejected; without a token, or with a wrong one, how to give one. */
export function describeRejection(answer: Rejected, address: string): string {
  if (answer.status !== 401) return toRejection(answer);
  return (
    `${address} needs a token (${toRejection(answer)}): give one with --token, --token-file or STRATALOG_TOKEN; ` +
    `"${PROGRAM} token" prints the operator's of a catalog on this machine`
  );
}
