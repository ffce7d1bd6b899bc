import { describe, expect, it } from '@jest/globals';
import { compareCases, expectedEntries } from './compare-with-store';

describe('expectedEntries', () => {
  it('counts the entities that have an entry', () => {
    const counts = [
      { entityType: 'tag', isDeleted: false, count: 5 },
      { entityType: 'tag', isDeleted: true, count: 3 },
      { entityType: 'former', isDeleted: false, count: 7 },
    ];
    expect(expectedEntries(counts, (type, isDeleted) => isDeleted || type === 'tag')).toBe(8);
    expect(expectedEntries([], () => true)).toBe(0);
  });
});

describe('compareCases', () => {
  it.each([
    ['equal', { before: 5, expected: 5, after: 5 }, { kind: 'whole' }],
    ['the index caught up in between', { before: 3, expected: 5, after: 5 }, { kind: 'whole' }],
    ['more entries arrived in between', { before: 5, expected: 6, after: 9 }, { kind: 'whole' }],
    [
      'entries are missing',
      { before: 4, expected: 5, after: 4 },
      { kind: 'lacking', missing: 1, expected: 5 },
    ],
    [
      'the index has too many entries',
      { before: 6, expected: 5, after: 6 },
      { kind: 'surplus', entries: 6, expected: 5 },
    ],
  ])('compareCases when %s', (_when, counted, comparison) => {
    expect(compareCases(counted)).toEqual(comparison);
  });
});
