/** Cuts arriving text into the texts of records. */
export interface RecordSplitter {
  /** The records that this chunk completes, in order; must be read to its end before the next chunk comes. */
  push(chunk: string): Iterable<string>;
  /** The records that the end of the text completes. */
  end(): Iterable<string>;
}

/** The input as a whole cannot be read on: it is not UTF-8, or its array is broken. */
export class UnreadableInputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableInputError';
  }
}

/** The largest body that any catalog can be set to take; a record that is longer is most likely a quote that never closes. */
const MAX_RECORD_CHARACTERS = 128 * 1024 * 1024;

/** **Errors**: {@link UnreadableInputError} when what is held of an unfinished record, called `what`, is more than any catalog takes. */
export function checkRecordSize(held: string, what: string): void {
  if (held.length <= MAX_RECORD_CHARACTERS) return;
  throw new UnreadableInputError(
    `${what} does not end within ${MAX_RECORD_CHARACTERS.toLocaleString('en-US')} characters, ` +
      'the most that any catalog takes in one request (STRATALOG_MAX_BODY_BYTES): a quote that never closes, or no JSON',
  );
}
