import { describe, expect, it } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import lz4 from 'lz4js';
import snappy from 'snappyjs';
import { MAX_BATCH_BYTES } from './bounded-output';
import { ungzip, unsnappy } from './codecs';
import { toLz4Frame } from './lz4-frames.fixture';
import { unlz4 } from './unlz4';
import { unzstd } from './unzstd';

const HEADER = Buffer.concat([
  Buffer.from([0x82]),
  Buffer.from('SNAPPY\0'),
  Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]),
]);
const TOO_MUCH = Buffer.alloc(MAX_BATCH_BYTES + 1);

function framed(blocks: readonly Buffer[]): Buffer {
  const parts = blocks.flatMap((block) => {
    const compressed = snappy.compress(block);
    const length = Buffer.alloc(4);
    length.writeInt32BE(compressed.length);
    return [length, compressed];
  });
  return Buffer.concat([HEADER, ...parts]);
}

const block = fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes));
/** Texts that repeat themselves, near and far. */
const repetitive = fc
  .array(fc.constantFrom('a', 'abc', 'urn:li:dataset:', 'x'.repeat(300), '\u00fc'), { maxLength: 2_000 })
  .map((words) => Buffer.from(words.join('')));

describe('snappy', () => {
  it('is read as a bare block', () => {
    fc.assert(
      fc.property(block, (bytes) => {
        expect(unsnappy(snappy.compress(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });

  it('is read as the blocks of a frame one after another', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        expect(unsnappy(framed(blocks)).equals(Buffer.concat(blocks))).toBe(true);
      }),
    );
  });

  it('is not read beyond the limit, in one block or in several', () => {
    expect(() => unsnappy(snappy.compress(TOO_MUCH))).toThrow(/too big/);
    const half = Buffer.alloc(MAX_BATCH_BYTES / 2 + 1);
    expect(() => unsnappy(framed([half, half]))).toThrow('more than 41943040 bytes when decompressed');
  });

  it('is rejected when a block claims more bytes than there are', () => {
    expect(() => unsnappy(Buffer.concat([HEADER, Buffer.from([0xff, 0xff, 0xff, 0xf0, 1])]))).toThrow(
      'ends too early',
    );
  });
});

describe('lz4', () => {
  const compressed = (bytes: Buffer): Buffer => Buffer.from(lz4.compress(bytes));

  it('is read', () => {
    fc.assert(
      fc.property(fc.oneof(block, repetitive), (bytes) => {
        expect(unlz4(compressed(bytes)).equals(bytes)).toBe(true);
        expect(unlz4(toLz4Frame(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });

  it('is read whatever size its frame claims', () => {
    const bytes = Buffer.from('records '.repeat(1_000));
    for (const size of [0n, 8_000n, 2n ** 40n, 2n ** 64n - 1n])
      expect(unlz4(toLz4Frame(bytes, size)).equals(bytes)).toBe(true);
  });

  it('is not read beyond the limit', () => {
    expect(() => unlz4(compressed(TOO_MUCH))).toThrow('more than 41943040 bytes when decompressed');
  });

  it('ends with an error for any other bytes, and writes nothing outside its output', () => {
    const frame = compressed(Buffer.from('records '.repeat(100)));
    fc.assert(
      fc.property(fc.nat(frame.length - 1), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const broken = Buffer.from(frame);
        broken.writeUInt8(byte, at);
        try {
          expect(unlz4(broken).length).toBeLessThanOrEqual(MAX_BATCH_BYTES);
        } catch (error) {
          expect((error as Error).name).toBe('RangeError');
        }
      }),
    );
  });
});

describe('gzip', () => {
  it('is read up to the limit, and not beyond it', async () => {
    const most = TOO_MUCH.subarray(1);
    expect((await ungzip(gzipSync(most))).length).toBe(MAX_BATCH_BYTES);
    await expect(ungzip(gzipSync(TOO_MUCH))).rejects.toThrow(/larger than/);
  });
});

describe('zstd', () => {
  /** A frame of raw blocks and runs, with a window descriptor or with a size. */
  const frame = (header: readonly number[], blocks: readonly Buffer[]): Buffer =>
    Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, ...header]), ...blocks]);
  const blockOf = (type: number, size: number, content: Buffer, isLast = false): Buffer => {
    const header = Buffer.alloc(3);
    header.writeUIntLE((size << 3) | (type << 1) | Number(isLast), 0, 3);
    return Buffer.concat([header, content]);
  };
  const raw = (text: string, isLast = false): Buffer => blockOf(0, text.length, Buffer.from(text), isLast);
  const run = (size: number, isLast = false): Buffer => blockOf(1, size, Buffer.from([7]), isLast);

  it('is read', () => {
    expect(unzstd(frame([0, 0x38], [raw('abc'), raw('def', true)])).toString()).toBe('abcdef');
  });

  it('is not read beyond the limit', () => {
    const runs = Array.from({ length: MAX_BATCH_BYTES / 131_072 }, () => run(131_072));
    expect(() => unzstd(frame([0, 0x38], [...runs, run(1, true)]))).toThrow('more than 41943040 bytes');
  });

  it.each([
    ['a window of 2 GB', [0, 0xa8]],
    ['a content of 2^40 bytes', [0xe0, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])('is rejected when it claims %s, before memory is reserved', (_what, header) => {
    expect(() => unzstd(frame(header, [raw('abc', true)]))).toThrow('more than 41943040 bytes');
    expect(() =>
      unzstd(Buffer.concat([frame([0, 0x38], [raw('abc', true)]), frame(header, [raw('a', true)])])),
    ).toThrow('more than 41943040 bytes');
  });
});
