import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import snappy from 'snappyjs';
import { unsnappy } from './codecs';

const HEADER = Buffer.concat([
  Buffer.from([0x82]),
  Buffer.from('SNAPPY\0'),
  Buffer.from([0, 0, 0, 1, 0, 0, 0, 1]),
]);

function framed(blocks: readonly Buffer[]): Buffer {
  const parts = blocks.flatMap((block) => {
    const compressed = snappy.compress(block);
    const length = Buffer.alloc(4);
    length.writeInt32BE(compressed.length);
    return [length, compressed];
  });
  return Buffer.concat([HEADER, ...parts]);
}

describe('unsnappy', () => {
  const block = fc.uint8Array({ maxLength: 500 }).map((bytes) => Buffer.from(bytes));

  it('reads a bare block', () => {
    fc.assert(
      fc.property(block, (bytes) => {
        expect(unsnappy(snappy.compress(bytes)).equals(bytes)).toBe(true);
      }),
    );
  });

  it('reads the blocks of a frame one after another', () => {
    fc.assert(
      fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
        expect(unsnappy(framed(blocks)).equals(Buffer.concat(blocks))).toBe(true);
      }),
    );
  });
});
