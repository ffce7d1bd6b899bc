import lz4 from 'lz4js';
import xxh32 from 'lz4js/xxh32.js';

const MAGIC = [0x04, 0x22, 0x4d, 0x18];
/** Version 1; blocks that refer to no other block, which brokers require. */
const INDEPENDENT_BLOCKS = 0x60;
const HAS_CONTENT_SIZE = 0x08;
/** Code of the largest block. */
const FOUR_MEGABYTES = 0x70;
const BLOCK_BYTES = 4 * 1024 * 1024;
const IS_UNCOMPRESSED = 0x80000000;

/** Compresses bytes into a frame as brokers accept it. `claimedBytes`: the size of the content that the frame states, true or not. */
export function toLz4Frame(bytes: Buffer, claimedBytes?: bigint): Buffer {
  const size = Buffer.alloc(claimedBytes === undefined ? 0 : 8);
  if (claimedBytes !== undefined) size.writeBigUInt64LE(claimedBytes);
  const flags = INDEPENDENT_BLOCKS | (claimedBytes === undefined ? 0 : HAS_CONTENT_SIZE);
  const descriptor = Buffer.concat([Buffer.from([flags, FOUR_MEGABYTES]), size]);
  const checksum = (xxh32.hash(0, descriptor, 0, descriptor.length) >>> 8) & 0xff;
  const blocks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES)
    blocks.push(toBlock(bytes.subarray(at, at + BLOCK_BYTES)));
  return Buffer.concat([Buffer.from(MAGIC), descriptor, Buffer.from([checksum]), ...blocks, Buffer.alloc(4)]);
}

function toBlock(bytes: Buffer): Buffer {
  const compressed = Buffer.alloc(lz4.compressBound(bytes.length));
  const length = lz4.compressBlock(bytes, compressed, 0, bytes.length, new Uint32Array(65_536));
  const isSmaller = length > 0 && length < bytes.length;
  const content = isSmaller ? compressed.subarray(0, length) : bytes;
  const header = Buffer.alloc(4);
  header.writeUInt32LE(isSmaller ? content.length : content.length + IS_UNCOMPRESSED);
  return Buffer.concat([header, content]);
}
