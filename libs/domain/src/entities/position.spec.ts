import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  covers,
  distance,
  formatPosition,
  maxOffsets,
  parsePosition,
  type PartitionSequences,
} from './position';

const STORE = '0123456789abcdef0123456789abcdef';
const offsets: fc.Arbitrary<PartitionSequences> = fc
  .dictionary(fc.nat(1_023).map(String), fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), {
    maxKeys: 20,
  })
  .map((own) => new Map(Object.entries(own).map(([partition, seq]) => [Number(partition), seq])));

describe('a position token', () => {
  it('lists partitions in order after the short form of the store id', () => {
    const seqs = new Map([
      [12, 7],
      [3, 9_007_199_254_740_991],
    ]);
    const token = formatPosition({ storeId: STORE, epoch: 2, seqs });
    expect(token).toBe('01234567.2.3:9007199254740991,12:7');
    expect(parsePosition(token)).toEqual({ storeId: '01234567', epoch: 2, seqs });
  });

  it('may have no partition', () => {
    const token = formatPosition({ storeId: STORE, epoch: 1, seqs: new Map() });
    expect(parsePosition(token)).toEqual({ storeId: '01234567', epoch: 1, seqs: new Map() });
  });

  it('parses back to the same position', () => {
    fc.assert(
      fc.property(offsets, fc.nat(999_999_999), (seqs, epoch) => {
        const position = { storeId: STORE.slice(0, 8), epoch, seqs };
        const token = formatPosition({ ...position, storeId: STORE });
        expect(parsePosition(token)).toEqual(position);
        expect(token).toMatch(/^[\x21-\x7e]+$/);
      }),
    );
  });

  it.each([
    '',
    'x',
    '01234567',
    '01234567.1',
    '01234567.1.3',
    '01234567.1.3:',
    '01234567.1.:3',
    '01234567.1.3:4,',
    '01234567.1.3:-4',
    '01234567.1.3:4.5',
    '01234567.1.3:9007199254740993',
    '01234567.1.3:99999999999999999',
    '0123456.1.3:4',
    '0123456G.1.3:4',
    ' 01234567.1.3:4',
    '01234567.1.3:4\n',
    '01234567.1.3:4, 01234567.1.3:4',
  ])('is not parsed from "%s"', (token) => {
    expect(parsePosition(token)).toBeUndefined();
  });

  it('is never parsed from noise, and noise never throws', () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        expect(parsePosition(noise)).toBeUndefined();
      }),
    );
  });
});

describe('offsets', () => {
  it('cover offsets at or below them', () => {
    const reached = new Map([
      [1, 5],
      [2, 3],
    ]);
    expect(covers(reached, new Map())).toBe(true);
    expect(covers(reached, new Map([[1, 5]]))).toBe(true);
    expect(covers(reached, new Map([[1, 6]]))).toBe(false);
    expect(covers(reached, new Map([[3, 1]]))).toBe(false);
    expect(covers(new Map(), new Map([[3, 0]]))).toBe(true);
  });

  it('are as far apart as the number of changes between them', () => {
    const sequences = new Map([
      [1, 5],
      [2, 3],
      [3, 4],
    ]);
    const reached = new Map([
      [1, 2],
      [2, 9],
    ]);
    expect(distance(reached, sequences)).toBe(3 + 0 + 4);
  });

  it('offsets that cover others have distance 0, and the maximum of two covers both', () => {
    fc.assert(
      fc.property(offsets, offsets, (a, b) => {
        expect(distance(a, b) === 0).toBe(covers(a, b));
        const both = maxOffsets(a, b);
        expect([covers(both, a), covers(both, b)]).toEqual([true, true]);
        expect(maxOffsets(b, a)).toEqual(both);
      }),
    );
  });
});
