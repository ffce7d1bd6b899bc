import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { UnreadableInputError } from './record-splitter';

/** The number of bytes that identify a file's format; longer than every signature below. */
const HEAD_BYTES = 16;

/** File formats that users supply by mistake, by their first bytes, with the remedy. */
const FOREIGN: readonly (readonly [signature: string, what: string])[] = [
  ['28b52ffd', 'it is packed with zstd: unpack it, zstd -dc <file> | … load -'],
  ['fd377a585a00', 'it is packed with xz: unpack it, xz -dc <file> | … load -'],
  ['425a68', 'it is packed with bzip2: unpack it, bzip2 -dc <file> | … load -'],
  ['504b0304', 'it is a zip archive: unpack it, and load the files in it'],
  ['50415231', 'it is a Parquet file: a file to load is JSON'],
  ['4f626a01', 'it is an Avro file: a file to load is JSON'],
  ['53514c69746520666f726d6174', 'it is an SQLite database: a file to load is JSON'],
  ['25504446', 'it is a PDF document: a file to load is JSON'],
  ['fffe', 'it is UTF-16 text: save it as UTF-8'],
  ['feff', 'it is UTF-16 text: save it as UTF-8'],
];
const GZIP = '1f8b';

/**
 * Yields the text bytes of an input, and decompresses gzip, whatever the file's name says.
 *
 * **Errors**: {@link UnreadableInputError} when the input is another format, which the message names, or when
 * compressed data are cut off or damaged.
 */
export async function* unpacked(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const source = chunks[Symbol.asyncIterator]();
  const head = await readHead(source);
  const signature = head.toString('hex', 0, HEAD_BYTES);
  const foreign = FOREIGN.find(([begin]) => signature.startsWith(begin));
  if (foreign !== undefined) throw new UnreadableInputError(foreign[1]);
  const whole = rejoined(head, source);
  yield* text(signature.startsWith(GZIP) ? gunzipped(whole) : whole);
}

/** Reads the first bytes, as many as a signature needs unless there are fewer. */
async function readHead(source: AsyncIterator<Uint8Array>): Promise<Buffer> {
  let head = Buffer.alloc(0);
  while (head.length < HEAD_BYTES) {
    const next = await source.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  return head;
}

async function* rejoined(head: Buffer, source: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (head.length > 0) yield head;
  for (let next = await source.next(); next.done !== true; next = await source.next()) yield next.value;
}

/** JSON text holds no NUL, and nearly every binary format does. */
async function* text(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let before = 0;
  for await (const chunk of chunks) {
    const at = chunk.indexOf(0);
    if (at >= 0) {
      throw new UnreadableInputError(
        `it is binary (byte ${String(before + at)} is 0): a file to load is JSON`,
      );
    }
    before += chunk.length;
    yield chunk;
  }
}

async function* gunzipped(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const packed = Readable.from(chunks, { objectMode: false });
  packed.on('error', (error) => gunzip.destroy(error));
  packed.pipe(gunzip);
  try {
    for await (const chunk of gunzip) yield chunk as Uint8Array;
  } catch (cause) {
    throw new UnreadableInputError(reasonOf(cause), { cause });
  } finally {
    packed.destroy();
  }
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return 'its packed data (gzip) are cut off: the file is not whole';
  if (code?.startsWith('Z_') === true) return `its packed data (gzip) are damaged: ${message}`;
  return message;
}
