import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readRecords, type SourceRecord } from './read-records';

async function read(bytes: Uint8Array, size: number): Promise<SourceRecord[]> {
  const chunks: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
  const records: SourceRecord[] = [];
  for await (const record of readRecords(Readable.from(chunks))) records.push(record);
  return records;
}

const values = (records: readonly SourceRecord[]): unknown[] =>
  records.map(({ text }): unknown => JSON.parse(text));

describe('the records of a file', () => {
  it('are the same from an array and from lines, in chunks of any size', async () => {
    const record = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }));
    await fc.assert(
      fc.asyncProperty(fc.array(record), fc.integer({ min: 1, max: 40 }), async (records, size) => {
        const plain = JSON.parse(JSON.stringify(records)) as unknown[];
        const array = Buffer.from(`\n ${JSON.stringify(records, null, 1)}\n`);
        const lines = Buffer.from(records.map((one) => `${JSON.stringify(one)}\r\n`).join('\n'));
        expect(values(await read(array, size))).toEqual(plain);
        expect(values(await read(lines, size))).toEqual(plain);
      }),
    );
  });

  it('count from 0 without blank lines, and the last line needs no line feed', async () => {
    const records = await read(Buffer.from('\n{"a":1}\n\n  \n{"b":2}'), 3);
    expect(records).toEqual([
      { index: 0, text: '{"a":1}', isCutOff: false },
      { index: 1, text: '{"b":2}', isCutOff: true },
    ]);
  });

  it('may hold line separators of Unicode in their strings', async () => {
    expect(values(await read(Buffer.from('{"a":"x\u2028y\u2029z"}\n{}'), 2))).toEqual([
      { a: 'x\u2028y\u2029z' },
      {},
    ]);
  });

  it('may follow a byte order mark', async () => {
    expect(values(await read(Buffer.from('\ufeff[1]'), 1))).toEqual([1]);
  });

  it('are none in an empty or blank file', async () => {
    expect(await read(Buffer.from(''), 1)).toEqual([]);
    expect(await read(Buffer.from(' \n\t\n'), 1)).toEqual([]);
  });

  it('end with an error where the bytes are no UTF-8', async () => {
    await expect(read(Buffer.from([0x7b, 0x7d, 0x0a, 0xff]), 4)).rejects.toThrow('not UTF-8');
    await expect(read(Buffer.from([0x7b, 0x7d, 0xc3]), 4)).rejects.toThrow('not UTF-8');
  });
});
