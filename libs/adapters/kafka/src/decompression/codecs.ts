import { promisify } from 'node:util';
import { unzip } from 'node:zlib';
import kafkajs from 'kafkajs';
import snappy from 'snappyjs';
import { MAX_BATCH_BYTES, BoundedOutput } from './bounded-output';
import { unlz4 } from './unlz4';
import { unzstd } from './unzstd';

/** Node does not detect these two names of the CommonJS module, so a plain import of them fails. */
const { CompressionCodecs, CompressionTypes } = kafkajs;

/** The Java client's frame for snappy: this, two version numbers, then blocks, each preceded by its length. */
const XERIAL_MAGIC = Buffer.from([0x82, 0x53, 0x4e, 0x41, 0x50, 0x50, 0x59, 0x00]);
const XERIAL_HEADER_BYTES = XERIAL_MAGIC.length + 8;

type Decompress = (bytes: Buffer) => Buffer | Promise<Buffer>;

/**
 * Makes every codec of Kafka readable, up to {@link MAX_BATCH_BYTES}; kafkajs itself includes only gzip, without a limit. The catalog writes
 * without compression, or leaves it to the topic.
 */
export function registerCodecs(): void {
  register(CompressionTypes.GZIP, ungzip);
  register(CompressionTypes.Snappy, unsnappy);
  register(CompressionTypes.LZ4, unlz4);
  register(CompressionTypes.ZSTD, unzstd);
}

function register(type: keyof typeof CompressionCodecs, decompress: Decompress): void {
  CompressionCodecs[type] = () => ({
    compress: () => Promise.reject(new Error('The catalog does not compress')),
    decompress: async (bytes: Buffer) => decompress(bytes),
  });
}

const unzipBounded = promisify(unzip) as (
  bytes: Buffer,
  options: { readonly maxOutputLength: number },
) => Promise<Buffer>;

/** **Errors**: `RangeError` when the bytes have too many bytes when decompressed. */
export function ungzip(bytes: Buffer): Promise<Buffer> {
  return unzipBounded(bytes, { maxOutputLength: MAX_BATCH_BYTES });
}

/**
 * Decompresses blocks in the Java client's frame, or one bare block as other clients send it.
 *
 * **Errors**: `RangeError` when the bytes have too many bytes when decompressed; errors of the decompressor.
 */
export function unsnappy(bytes: Buffer): Buffer {
  const output = new BoundedOutput();
  if (!bytes.subarray(0, XERIAL_MAGIC.length).equals(XERIAL_MAGIC)) {
    output.write(snappy.uncompress(bytes, MAX_BATCH_BYTES));
    return output.result;
  }
  for (let at = XERIAL_HEADER_BYTES; at < bytes.length;) {
    const length = bytes.readUInt32BE(at);
    at += 4;
    if (at + length > bytes.length) throw new RangeError('a snappy block ends too early');
    output.write(snappy.uncompress(bytes.subarray(at, at + length), MAX_BATCH_BYTES));
    at += length;
  }
  return output.result;
}
