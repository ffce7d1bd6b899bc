import { Decompress } from 'fzstd';
import { BoundedOutput, checkBatchBytes } from './bounded-output';

/** **Source**: RFC 8878, sections 3.1.1 and 3.1.2. */
const MAGIC = 0xfd2fb528;
const SKIPPABLE = 0x184d2a50;
const SKIPPABLE_MASK = 0xfffffff0;
const IS_SINGLE_SEGMENT = 0x20;
const HAS_CHECKSUM = 0x04;
const DICTIONARY_BYTES = [0, 1, 2, 4] as const;
const RUN_BLOCK = 1;

/**
 * Decompresses frames.
 *
 * **Errors**: `RangeError` when the bytes have too many bytes when decompressed, or need a larger window; errors of the decompressor.
 */
export function unzstd(bytes: Buffer): Buffer {
  for (let at = 0; at < bytes.length;) at = checkFrame(bytes, at);
  const output = new BoundedOutput();
  const stream = new Decompress((chunk) => {
    output.write(chunk);
  });
  stream.push(bytes, true);
  return output.result;
}

/** Checks the window of a frame, which the decompressor would reserve at once, and returns where the frame ends. */
function checkFrame(bytes: Buffer, start: number): number {
  const magic = bytes.readUInt32LE(start);
  if ((magic & SKIPPABLE_MASK) >>> 0 === SKIPPABLE) return start + 8 + bytes.readUInt32LE(start + 4);
  if (magic !== MAGIC) throw new RangeError('it is no Zstandard frame');
  const flags = bytes.readUInt8(start + 4);
  const isSingle = (flags & IS_SINGLE_SEGMENT) > 0;
  const sizeBytes = flags >> 6 === 0 ? Number(isSingle) : 1 << (flags >> 6);
  const sizeAt = start + 5 + Number(!isSingle) + (DICTIONARY_BYTES[flags & 3] ?? 0);
  checkBatchBytes(isSingle ? readSize(bytes, sizeAt, sizeBytes) : toWindow(bytes.readUInt8(start + 5)));
  let at = sizeAt + sizeBytes;
  for (let isLast = false; !isLast;) {
    const header = bytes.readUIntLE(at, 3);
    isLast = (header & 1) === 1;
    at += 3 + (((header >> 1) & 3) === RUN_BLOCK ? 1 : header >> 3);
  }
  return at + ((flags & HAS_CHECKSUM) > 0 ? 4 : 0);
}

function readSize(bytes: Buffer, at: number, length: number): number {
  if (length === 8) return Number(bytes.readBigUInt64LE(at));
  return bytes.readUIntLE(at, length) + (length === 2 ? 256 : 0);
}

function toWindow(descriptor: number): number {
  const base = 2 ** (10 + (descriptor >> 3));
  return base + (base / 8) * (descriptor & 7);
}
