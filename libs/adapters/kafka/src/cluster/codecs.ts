import { decompress as unzstd } from 'fzstd';
import kafkajs from 'kafkajs';
import lz4 from 'lz4js';
import snappy from 'snappyjs';

/** Node does not detect these two names of the CommonJS module, so a plain import of them fails. */
const { CompressionCodecs, CompressionTypes } = kafkajs;

/** The Java client's frame for snappy: this, two version numbers, then blocks, each preceded by its length. */
const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER_BYTES = XERIAL_MAGIC.length + 8;

type Decompress = (bytes: Buffer) => Uint8Array;

/**
 * Makes every codec of Kafka readable; kafkajs itself includes only gzip. The catalog writes without compression, or
 * leaves it to the topic.
 */
export function registerCodecs(): void {
  register(CompressionTypes.Snappy, unsnappy);
  register(CompressionTypes.LZ4, (bytes) => Uint8Array.from(lz4.decompress(bytes)));
  register(CompressionTypes.ZSTD, (bytes) => unzstd(bytes));
}

function register(type: keyof typeof CompressionCodecs, decompress: Decompress): void {
  CompressionCodecs[type] = () => ({
    compress: () => Promise.reject(new Error('The catalog does not compress')),
    decompress: (bytes: Buffer) =>
      new Promise((resolve) => {
        resolve(toBuffer(decompress(bytes)));
      }),
  });
}

/** Decompresses blocks in the Java client's frame, or one bare block as other clients send it. */
export function unsnappy(bytes: Buffer): Buffer {
  if (!bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) return toBuffer(snappy.uncompress(bytes));
  const blocks: Buffer[] = [];
  for (let at = XERIAL_HEADER_BYTES; at < bytes.length;) {
    const length = bytes.readInt32BE(at);
    at += 4;
    blocks.push(toBuffer(snappy.uncompress(bytes.subarray(at, at + length))));
    at += length;
  }
  return Buffer.concat(blocks);
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
