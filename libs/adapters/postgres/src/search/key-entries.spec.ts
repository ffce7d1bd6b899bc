import { describe, expect, it } from '@jest/globals';
import { MAX_ASKED_KEY_LENGTH } from '@stratalog/search-text';
import fc from 'fast-check';
import { firstWindow, isCut, rangeOf, toKeyEntries } from './key-entries';

const key = fc.array(fc.constantFrom('a', 'b', 'é', '日', '\u{1f600}'), { maxLength: 2_000 }).map((letters) =>
  letters
    .join('')
    .slice(0, 2_048)
    .replace(/[\ud800-\udbff]$/, ''),
);

describe('toKeyEntries', () => {
  it('holds every part that a filter may name within one entry', () => {
    fc.assert(
      fc.property(key, fc.nat(), (whole, place) => {
        const from = place % (whole.length + 1);
        const part = whole.slice(from, from + MAX_ASKED_KEY_LENGTH);
        const entries = toKeyEntries({ name: { tokens: [], keys: [whole] } });
        expect(entries.some(({ entry }) => entry.slice('name:'.length).includes(part))).toBe(true);
        expect(entries.filter(({ isFirst }) => isFirst).map(({ entry }) => entry)).toEqual([
          `name:${firstWindow(whole)}`,
        ]);
        expect(entries.filter(({ isLast }) => isLast)).toHaveLength(1);
        expect(entries.every(({ entry }) => whole.includes(entry.slice('name:'.length)))).toBe(true);
        expect(entries.length > 1).toBe(isCut(whole));
      }),
    );
  });

  it('never cuts a letter, and keeps each entry within the size of an index entry', () => {
    fc.assert(
      fc.property(key, (whole) => {
        for (const { entry } of toKeyEntries({ ['n'.repeat(300)]: { tokens: [], keys: [whole] } })) {
          expect(entry).not.toMatch(/\p{Surrogate}/u);
          expect(Buffer.byteLength(entry)).toBeLessThan(2_600);
        }
      }),
    );
  });

  it('lists an entry that repeats within a key once', () => {
    const entries = toKeyEntries({ name: { tokens: [], keys: ['a'.repeat(2_048)] } });
    expect(entries.map(({ isFirst, isLast }) => [isFirst, isLast])).toEqual([
      [true, false],
      [false, false],
      [false, true],
    ]);
    expect(entries.map(({ whole }) => whole?.length)).toEqual([2_053, undefined, undefined]);
  });

  it('marks the lowest and the highest key by their bytes', () => {
    const keys = ['\u{1f600}', '\uffee', 'b', 'a'];
    const entries = toKeyEntries({ name: { tokens: [], keys } });
    expect(entries.filter(({ isLowest }) => isLowest).map(({ entry }) => entry)).toEqual(['name:a']);
    expect(entries.filter(({ isHighest }) => isHighest).map(({ entry }) => entry)).toEqual([
      'name:\u{1f600}',
    ]);
  });

  it('keeps the entries of fields apart, whatever their names', () => {
    const [whole, split] = [rangeOf('a:b'), rangeOf('a')];
    expect(whole.start.startsWith(split.start)).toBe(false);
    expect(rangeOf('x'.repeat(201)).start.length).toBeLessThan(50);
  });
});
