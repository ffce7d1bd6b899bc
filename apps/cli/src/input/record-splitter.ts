/** Splits arriving text into the texts of records. */
export interface RecordSplitter {
  /** Yields the records that this chunk completes, in order; read it to its end before the next chunk. */
  push(chunk: string): Iterable<string>;
  /** Yields the records that the end of the text completes. */
  end(): Iterable<string>;
}

/** The rest of the input cannot be read: it is not UTF-8, or its array is broken. */
export class UnreadableInputError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnreadableInputError';
  }
}

/** The largest body limit that a catalog can have; a longer record most likely has an unclosed quote. */
const MAX_RECORD_CHARACTERS = 128 * 1024 * 1024;

/**
 * **Errors**: {@link UnreadableInputError} when the text of an unfinished record, called `what`, exceeds the
 * limit of every catalog.
 */
export function checkRecordSize(held: string, what: string): void {
  if (held.length <= MAX_RECORD_CHARACTERS) return;
  throw new UnreadableInputError(
    `${what} does not end within ${MAX_RECORD_CHARACTERS.toLocaleString('en-US')} characters, ` +
      'the most that any catalog takes in one request (STRATALOG_MAX_BODY_BYTES): a quote that never closes, or no JSON',
  );
}
