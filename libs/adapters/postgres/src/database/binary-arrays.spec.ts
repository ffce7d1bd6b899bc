import { describe, expect, test } from '@jest/globals';
import { bigintArray, encodeTsvector, textArray } from './binary-arrays';

const HEADER = 20;

describe('given texts', () => {
  test.each(['', 'orders', 'größe', '顧客', 'a'.repeat(500), `${'a'.repeat(500)}ß`, '😀'])(
    'then %j is its UTF-8 behind its length',
    (text) => {
      const bytes = Buffer.from(text);
      const encoded = textArray([text, null]).subarray(HEADER);
      expect(encoded.readInt32BE(0)).toBe(bytes.length);
      expect(encoded.subarray(4, 4 + bytes.length)).toEqual(bytes);
      expect(encoded.readInt32BE(4 + bytes.length)).toBe(-1);
      expect(encoded).toHaveLength(8 + bytes.length);
    },
  );
});

test.each([
  0,
  1,
  -1,
  2 ** 31,
  2 ** 32,
  -(2 ** 32),
  2 ** 32 - 1,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
])('the two halves of the number %d are exact', (value) => {
  expect(bigintArray([value]).subarray(HEADER + 4)).toEqual(toBytes(value));
});

function toBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value));
  return bytes;
}

test('each lexeme is written in UTF-8 with its positions, with and without characters beyond ASCII', () => {
  const encode = (end: string): Buffer =>
    encodeTsvector([
      { start: '.name:', ends: new Map([[end, [1, 0xc002]]]) },
      { start: '', ends: new Map([['b', []]]) },
    ]);
  const expected = (end: string): Buffer => {
    const entries = Buffer.concat([
      Buffer.from([0, 0, 0, 2]),
      Buffer.from(`.name:${end}\0`),
      Buffer.from([0, 2, 0, 1, 0xc0, 2]),
      Buffer.from('b\0'),
      Buffer.from([0, 0]),
    ]);
    return Buffer.concat([Buffer.from([0, 0, 0, entries.length]), entries]);
  };
  for (const end of ['orders', '=größe', '顧客']) expect(encode(end)).toEqual(expected(end));
});
