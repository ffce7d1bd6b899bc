import { describe, expect, it } from '@jest/globals';
import avro from 'avsc';
import fc from 'fast-check';
import { parseAvroSchema } from './parse-avro-schema';
import { readAvro } from './read-avro';
import { PROPOSAL_SCHEMA } from './record-schemas';

const type = (schema: unknown) => parseAvroSchema(JSON.stringify(schema));
const varint = (value: bigint): Buffer => {
  const bytes: number[] = [];
  let bits = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; bits > 0x7fn; bits >>= 7n) bytes.push(Number(bits & 0x7fn) | 0x80);
  return Buffer.from([...bytes, Number(bits)]);
};

describe('readAvro', () => {
  const all = type({
    type: 'record',
    name: 'All',
    fields: [
      { name: 'flag', type: 'boolean' },
      { name: 'small', type: 'int' },
      { name: 'ratio', type: 'double' },
      { name: 'text', type: 'string' },
      { name: 'raw', type: 'bytes' },
      { name: 'maybe', type: ['null', 'string'] },
      { name: 'either', type: ['string', 'bytes', 'null'] },
      { name: 'list', type: { type: 'array', items: 'long' } },
      { name: 'map', type: { type: 'map', values: ['null', 'int'] } },
      { name: 'kind', type: { type: 'enum', name: 'Kind', symbols: ['A', 'B'] } },
      { name: 'id', type: { type: 'fixed', name: 'Id', size: 2 } },
    ],
  });

  it('reads records of avsc', () => {
    const name = fc.string({ unit: 'grapheme' }).filter((text) => text !== '__proto__');
    const record = fc.record({
      flag: fc.boolean(),
      small: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      ratio: fc.double({ noNaN: true }),
      text: fc.string({ unit: 'grapheme' }),
      raw: fc.uint8Array(),
      maybe: fc.option(name),
      either: fc.option(name),
      // avsc writes longer ones wrongly; the tests below cover them.
      list: fc.array(fc.bigInt({ min: -(2n ** 51n), max: 2n ** 51n }).map(Number)),
      map: fc.dictionary(name, fc.option(fc.integer({ min: -100, max: 100 }))),
      kind: fc.constantFrom('A', 'B'),
      id: fc.uint8Array({ minLength: 2, maxLength: 2 }),
    });
    fc.assert(
      fc.property(record, (value) => {
        const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
        const bytes = all.toBuffer({ ...value, raw: Buffer.from(value.raw), id: Buffer.from(value.id) });
        expect(readAvro(all, bytes)).toEqual({ ...value, raw: latin1(value.raw), id: latin1(value.id) });
      }),
    );
  });

  it('keeps every digit of 64-bit integers', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        expect(BigInt(readAvro(type('long'), varint(value)) as number | bigint)).toBe(value);
      }),
    );
  });

  it('reads lists in blocks with a size', () => {
    const bytes = Buffer.concat([varint(-2n), varint(2n), varint(7n), varint(-8n), varint(0n)]);
    expect(readAvro(type({ type: 'array', items: 'long' }), bytes)).toEqual([7, -8]);
  });

  it('rejects bytes that are no value, at once', () => {
    const proposal = parseAvroSchema(PROPOSAL_SCHEMA);
    const started = performance.now();
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          readAvro(proposal, Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2_000 },
    );
    expect(performance.now() - started).toBeLessThan(limitMs(20_000));
  });

  const long = varint(2n ** 40n);
  const nulls = { type: 'array', items: 'null' };
  it.each([
    ['that end early', 'string', Buffer.from([4, 0x61]), 'ends too early'],
    ['that are followed by more', 'int', Buffer.from([2, 2]), '1 bytes are left over'],
    ['with a negative length', 'bytes', varint(-1n), 'ends too early'],
    ['of a list without end', nulls, long, 'longer than the record'],
    ['of a map without end', { type: 'map', values: 'int' }, long, 'longer than the record'],
    [
      'of lists of nothing',
      { type: 'array', items: nulls },
      Buffer.concat(Array.from({ length: 500 }, () => Buffer.from([2, 200, 3, 0]))),
      'more values',
    ],
    [
      'of more values than a record may have',
      { type: 'array', items: 'int' },
      Buffer.concat([varint(60_000n), Buffer.alloc(60_001)]),
      'more values',
    ],
    ['with an unknown branch', ['null', 'int'], Buffer.from([6]), 'no branch 3'],
    ['with an endless integer', 'long', Buffer.alloc(20, 0xff), 'more than 64 bits'],
  ])('rejects bytes %s', (_name, schema, bytes, message) => {
    expect(() => readAvro(type(schema), bytes)).toThrow(message);
  });

  it('bounds the depth of recursive types', () => {
    const list = { type: 'record', name: 'L', fields: [{ name: 'next', type: ['null', 'L'] }] };
    expect(() => readAvro(type(list), Buffer.alloc(100_000, 2))).toThrow('nested deeper');
  });

  it("reads any value of a union by the writer's schema", () => {
    const wrapped = avro.Type.forSchema(['null', 'int', 'long', 'string']);
    const bytes = wrapped.toBuffer({ long: 5 });
    expect(readAvro(type(['null', 'int', 'long', 'string']), bytes)).toBe(5);
  });
});
