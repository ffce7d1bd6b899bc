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

/** Four times what a catalog takes by default; a record that is longer is a quote that never closes. */
export const MAX_RECORD_CHARACTERS = 64 * 1024 * 1024;
