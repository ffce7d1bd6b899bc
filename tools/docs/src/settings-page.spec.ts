import { describe, expect, it } from '@jest/globals';
import { SETTINGS } from '@stratalog/runtime';
import { readPage } from './pages';

/** Returns the rows of the page's first table as the cells between the bars. */
function rows(): string[][] {
  return readPage('docs/settings.md')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim().replace(/^`(.*)`$/, '$1')),
    );
}

describe('docs/settings.md', () => {
  it('lists every setting with its default and its permitted values, in the order of the help', () => {
    const told = rows().map(([name, fallback, allowed]) => ({ name, fallback, allowed }));
    expect(told).toEqual(
      SETTINGS.map(({ name, fallback, allowed }) => ({ name, fallback: fallback ?? '', allowed })),
    );
  });
});
