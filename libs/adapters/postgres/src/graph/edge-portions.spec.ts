import { describe, expect, it } from '@jest/globals';
import { allSteps } from '@stratalog/model';
import { datasetUrn, collectEdges } from '@stratalog/testkit';
import { edgePortions } from './edge-portions';

const entry = (name: string, count: number) =>
  collectEdges(datasetUrn(name), 1, {
    upstreamLineage: Array.from({ length: count }, (_, at) => `DownstreamOf ${datasetUrn(String(at))}`),
  });

describe('edgePortions', () => {
  it.each([0, 1, 2_000])('keeps %d edges together', (count) => {
    const portions = allSteps(edgePortions([entry('a', count)]));
    expect(portions).toMatchObject([{ fromKey: '0'.repeat(32), toKey: 'f'.repeat(32) }]);
    expect(portions[0]?.edges).toHaveLength(count);
  });

  it('divides many edges evenly, into ranges that cover all keys once', () => {
    const portions = allSteps(edgePortions([entry('a', 4_000), entry('b', 1_500)]));
    expect(portions).toHaveLength(3);
    expect(portions.flatMap(({ edges }) => edges)).toHaveLength(5_500);
    for (const { edges, fromKey, toKey } of portions) {
      expect(edges.length).toBeLessThan(2_000);
      expect(edges.every(({ destinationKey: key }) => fromKey <= key && key <= toKey)).toBe(true);
    }
    const [first, second, third] = portions;
    expect([first?.fromKey, third?.toKey]).toEqual(['0'.repeat(32), 'f'.repeat(32)]);
    const next = (key = ''): bigint => BigInt(`0x${key}`) + 1n;
    expect([second, third].map((portion) => BigInt(`0x${portion?.fromKey ?? ''}`))).toEqual(
      [first, second].map((portion) => next(portion?.toKey)),
    );
  });

  it('limits the number of portions', () => {
    expect(allSteps(edgePortions([entry('a', 300_000)]))).toHaveLength(128);
  });
});
