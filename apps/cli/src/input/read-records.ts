import { TextDecoder } from 'node:util';
import { UnreadableInputError, type RecordSplitter } from './record-splitter';
import { ArraySplitter } from './split-array';
import { LineSplitter } from './split-lines';
import { unpacked } from './decompress';

/** One record of a file, with its original text. */
export interface SourceRecord {
  /** Index in the file, from 0. */
  readonly index: number;
  readonly text: string;
  /** True when the file ends after it without the end of a record. */
  readonly isCutOff: boolean;
}

/**
 * Reads the records of a file, plain or in gzip, that is a JSON array or JSON lines; the first character
 * decides. It holds at most one chunk and one record in memory.
 *
 * **Errors**: {@link UnreadableInputError} when the bytes are no UTF-8 text or the array is broken; the
 * records before the fault are yielded first.
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

/** Undefined while the text has only blanks, which both forms permit in front. */
function splitterFor(text: string): RecordSplitter | undefined {
  const first = /[^ \t\n\r]/.exec(text)?.[0];
  if (first === undefined) return undefined;
  return first === '[' ? new ArraySplitter() : new LineSplitter();
}

/**
 * Decodes a chunk; without one, checks that the last character is whole. Drops a byte order mark in front.
 */
function decoded(decoder: TextDecoder, chunk?: Uint8Array): string {
  try {
    return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
  } catch (cause) {
    throw new UnreadableInputError('the input is not UTF-8 text', { cause });
  }
}
