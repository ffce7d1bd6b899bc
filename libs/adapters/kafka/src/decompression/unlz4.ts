import { BoundedOutput } from './bounded-output';

/** **Source**: the LZ4 frame format, which the records of Kafka have, and the LZ4 block format. */
const MAGIC = 0x184d2204;
const FLAGS_AT = 4;
const HAS_BLOCK_CHECKSUMS = 0x10;
const HAS_CONTENT_SIZE = 0x08;
const HAS_DICTIONARY = 0x01;
const IS_UNCOMPRESSED = 0x80000000;
const CHECKSUM_BYTES = 4;
const MIN_MATCH = 4;
const MORE_FOLLOWS = 15;

/**
 * Decompresses a frame. It ignores the size that the frame claims, and its checksums: the broker has checked the whole batch.
 *
 * **Errors**: `RangeError` when the bytes are no frame, or have too many bytes when decompressed.
 */
export function unlz4(bytes: Buffer): Buffer {
  if (bytes.readUInt32LE(0) !== MAGIC) throw new RangeError('it is no LZ4 frame');
  const flags = bytes.readUInt8(FLAGS_AT);
  const output = new BoundedOutput();
  // Flags, block size, optional members, and a checksum of these.
  let at = FLAGS_AT + 3 + ((flags & HAS_CONTENT_SIZE) > 0 ? 8 : 0) + ((flags & HAS_DICTIONARY) > 0 ? 4 : 0);
  for (;;) {
    const header = bytes.readUInt32LE(at);
    if (header === 0) return output.result;
    const size = header & ~IS_UNCOMPRESSED;
    const from = at + 4;
    if (from + size > bytes.length) throw new RangeError('an LZ4 block ends too early');
    const block = bytes.subarray(from, from + size);
    if (header >= IS_UNCOMPRESSED) output.write(block);
    else readBlock(block, output);
    at = from + size + ((flags & HAS_BLOCK_CHECKSUMS) > 0 ? CHECKSUM_BYTES : 0);
  }
}

/** A block is a row of literals, each followed by a match; the last one has no match. */
function readBlock(block: Buffer, output: BoundedOutput): void {
  for (let at = 0; at < block.length;) {
    const token = block.readUInt8(at);
    const literals = readLength(block, at + 1, token >> 4);
    const end = literals.at + literals.length;
    if (end > block.length) throw new RangeError('an LZ4 block ends too early');
    output.write(block.subarray(literals.at, end));
    if (end === block.length) return;
    const match = readLength(block, end + 2, token & MORE_FOLLOWS);
    output.repeat(block.readUInt16LE(end), match.length + MIN_MATCH);
    at = match.at;
  }
}

/** A length of 15 goes on in the next byte, one of 255 there in the one after. */
function readLength(
  block: Buffer,
  from: number,
  first: number,
): { readonly length: number; readonly at: number } {
  let length = first;
  let at = from;
  for (let more = first === MORE_FOLLOWS; more; at++) {
    const byte = block.readUInt8(at);
    length += byte;
    more = byte === 255;
  }
  return { length, at };
}
