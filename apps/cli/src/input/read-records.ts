import { TextDecoder } from 'node:util';
import { UnreadableInputError, type RecordSplitter } from './record-splitter';
import { ArraySplitter } from './split-array';
import { LineSplitter } from './split-lines';
import { unpacked } from './decompress';

/** One record of a file, as its text stands there. */
export interface SourceRecord {
  /** Place in the file, from 0. */
  readonly index: number;
  readonly text: string;
  /** True when the file ends behind it without what ends a record. */
  readonly isCutOff: boolean;
}

/**
 * Reads the records of a file that is a JSON array or JSON lines, whichever its first character says, packed with gzip or not, one after
 * another and without holding more than one chunk and one record.
 *
 * **Errors**: {@link UnreadableInputError} when the bytes are no text in UTF-8 or the array is broken; the records before that place
 * have been handed out.
 */
export async function* readRecords(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<SourceRecord, void, undefined> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let splitter: RecordSplitter | undefined;
  let index = 0;
  for await (const chunk of unpacked(chunks)) {
    const text = decoded(decoder, chunk);
    splitter ??= splitterFor(text);
    for (const found of splitter?.push(text) ?? []) yield { index: index++, text: found, isCutOff: false };
  }
  decoded(decoder);
  for (const found of splitter?.end() ?? []) yield { index: index++, text: found, isCutOff: true };
}

/** Undefined while there is nothing but blanks, which mean nothing in front of either form. */
function splitterFor(text: string): RecordSplitter | undefined {
  const first = /[^ \t\n\r]/.exec(text)?.[0];
  if (first === undefined) return undefined;
  return first === '[' ? new ArraySplitter() : new LineSplitter();
}

/** Text of a chunk; without one, checks that the last character is whole. A byte order mark in front is dropped. */
function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new UnreadableInputError('the input is not UTF-8 text', { cause });
  }
}
