import { describe, expect, it } from '@jest/globals';
import { allSteps } from '@stratalog/json';
import { datasetUrn, collectEdges, toEdge } from '@stratalog/testkit';
import { edgePortions } from './edge-portions';

const entry = (name: string, count: number) =>
  collectEdges(datasetUrn(name), 1, {
    upstreamLineage: Array.from({ length: count }, (_, at) => `DownstreamOf ${datasetUrn(String(at))}`),
  });

describe('edgePortions', () => {
  it.each([0, 1, 2_000])('keeps %d edges together', (count) => {
    const portions = allSteps(edgePortions([entry('a', count)]));
    expect(portions).toMatchObject([{ fromDigits: '0000', toDigits: 'ffff' }]);
    expect(portions[0]?.edges).toHaveLength(count);
  });

  it('divides many edges evenly, into ranges that cover all keys once', () => {
    const portions = allSteps(edgePortions([entry('a', 4_000), entry('b', 1_500)]));
    expect(portions).toHaveLength(3);
    expect(portions.flatMap(({ edges }) => edges)).toHaveLength(5_500);
    for (const { edges, fromDigits, toDigits } of portions) {
      expect(edges.length).toBeLessThan(2_000);
      const digits = edges.map(({ destinationKey }) => destinationKey.slice(16, 20));
      expect(digits.every((each) => fromDigits <= each && each <= toDigits)).toBe(true);
    }
    const [first, second, third] = portions;
    expect([first?.fromDigits, third?.toDigits]).toEqual(['0000', 'ffff']);
    const next = (digits = ''): number => parseInt(digits, 16) + 1;
    expect([second, third].map((portion) => parseInt(portion?.fromDigits ?? '', 16))).toEqual(
      [first, second].map((portion) => next(portion?.toDigits)),
    );
  });

  it('divides edges between the columns of two entities evenly', () => {
    const column = (table: string, at: number) => `urn:li:schemaField:(${datasetUrn(table)},c${String(at)})`;
    const edges = Array.from({ length: 5_500 }, (_, at) =>
      toEdge(column('a', at), 'DownstreamOf', column('b', at)),
    );
    const sets = [{ aspectName: 'upstreamLineage', edges }];
    const portions = allSteps(edgePortions([{ urn: datasetUrn('a'), seq: 1, sets }]));
    expect(portions).toHaveLength(3);
    for (const { edges: own } of portions) expect(own.length).toBeLessThan(2_000);
  });

  it('limits the number of portions', () => {
    expect(allSteps(edgePortions([entry('a', 300_000)]))).toHaveLength(128);
  });
});
