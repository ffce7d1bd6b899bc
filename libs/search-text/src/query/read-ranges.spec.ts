import { describe, expect, it } from '@jest/globals';
import type { SearchField, SearchFieldType } from '@stratalog/domain';
import { toFilterKey } from '../analysis/filter-keys';
import { readRanges } from './read-ranges';

const field = (name: string, type: SearchFieldType): [string, SearchField] => [
  name,
  { name, type, queryByDefault: false, boost: 1, autocomplete: false, aliases: [] },
];
const FIELDS = new Map([
  field('rowCount', 'COUNT'),
  field('lastModified', 'DATETIME'),
  field('name', 'TEXT'),
]);

const day = (text: string): number => Date.parse(`${text}T00:00:00Z`);
const from = (value: number, isIncluded: boolean) => ({ from: { key: toFilterKey(value), isIncluded } });
const to = (value: number, isIncluded: boolean) => ({ to: { key: toFilterKey(value), isIncluded } });

describe('readRanges', () => {
  it.each([
    ['rowCount:>100', from(100, false)],
    ['rowCount:>=1.5e3', from(1500, true)],
    ['rowCount:<-2', to(-2, false)],
    ['ROWCOUNT:<=7', to(7, true)],
    ['rowCount:[10 TO 20]', { ...from(10, true), ...to(20, true) }],
    ['rowCount:{10 TO 20}', { ...from(10, false), ...to(20, false) }],
    ['rowCount:[* TO 20}', to(20, false)],
    [
      'lastModified:[2026-01-01 TO 2026-02-01]',
      { ...from(day('2026-01-01'), true), ...to(day('2026-02-02'), false) },
    ],
    ['lastModified:>2026-01-31', from(day('2026-02-01'), true)],
    ['lastModified:>=2026-01-31', from(day('2026-01-31'), true)],
    ['lastModified:<2026-01-31', to(day('2026-01-31'), false)],
    ['lastModified:>2026-01-31T12:00:00Z', from(day('2026-01-31') + 43_200_000, false)],
  ])('reads %s', (text, test) => {
    const fields = [text.startsWith('last') ? 'lastModified' : 'rowCount'];
    expect(readRanges(`orders ${text} "a b"`, FIELDS)).toEqual({
      text: 'orders  "a b"',
      ranges: [{ condition: 'range', fields, negated: false, ...test }],
    });
  });

  it('reads exclusions, and several ranges', () => {
    const { ranges, text } = readRanges('-rowCount:>5 lastModified:<2026-01-01', FIELDS);
    expect(text.trim()).toBe('');
    expect(ranges.map(({ fields, negated }) => [fields[0], negated])).toEqual([
      ['rowCount', true],
      ['lastModified', false],
    ]);
  });

  it.each([
    'orders',
    'name:orders',
    'unknown:>5',
    '"rowCount:>5"',
    'x-rowCount:>5',
    'rowCount:5',
    'a > b : c',
    'rowCount:> 5',
  ])('leaves %s as it is', (text) => {
    expect(readRanges(text, FIELDS)).toEqual({ text, ranges: [] });
  });

  it.each([
    ['rowCount:>many', '"many" is no number and no date'],
    ['lastModified:>2026-13-45', '"2026-13-45" is no number and no date'],
    ['name:>m', 'name holds no numbers or dates'],
  ])('finds the fault of %s', (text, fault) => {
    expect(readRanges(text, FIELDS).fault).toContain(fault);
  });

  it('takes linear time', () => {
    const started = performance.now();
    readRanges('rowCount:[1 TO '.repeat(500) + 'a:'.repeat(4_000), FIELDS);
    expect(performance.now() - started).toBeLessThan(500);
  });
});
