import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { partitionOf } from './partition-of';

/** With this many partitions the result is the hash itself, without its sign. */
const ALL = 2 ** 31;

describe('partitionOf', () => {
  // The hashes that Kafka's own client expects of its partitioner.
  it.each([
    ['21', -973932308],
    ['foobar', -790332482],
    ['a-little-bit-long-string', -985981536],
    ['a-little-bit-longer-string', -1486304829],
    ['lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8', -58897971],
    ['abc', 479470107],
  ])('hashes %s as Kafka does', (key, hash) => {
    expect(partitionOf(key, ALL)).toBe(hash & 0x7fffffff);
    expect(partitionOf(key, 16)).toBe((hash & 0x7fffffff) % 16);
  });

  it('returns a partition for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 1_024 }), (urn, partitions) => {
        const partition = partitionOf(urn, partitions);
        expect(Number.isInteger(partition)).toBe(true);
        expect(partition).toBeGreaterThanOrEqual(0);
        expect(partition).toBeLessThan(partitions);
      }),
    );
  });

  it('spreads urns that differ only in their end', () => {
    const partitions = new Set(
      Array.from({ length: 200 }, (_, n) => partitionOf(`urn:li:tag:name-${String(n)}`, 16)),
    );
    expect(partitions.size).toBe(16);
  });
});
