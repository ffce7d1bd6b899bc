import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { extractAnchors, extractLinks, findWideRows, namedPathsOf } from './markdown';
import { pagePaths, readPage } from './pages';

/** A wider table has cells of several lines on a screen; a list reads better then. */
const MAX_ROW = 140;

describe.each(pagePaths())('%s', (path) => {
  const page = readPage(path);

  it('has no broken links', () => {
    const broken = extractLinks(page).flatMap(({ line, target }) => {
      if (/^[a-z]+:/.test(target)) return [];
      const [file = '', anchor] = target.split('#');
      const linked = file === '' ? path : normalize(join(dirname(path), file));
      if (!existsSync(join(ROOT, linked))) return [`line ${line}: ${target}`];
      const isMissing = anchor !== undefined && !extractAnchors(readPage(linked)).has(anchor);
      return isMissing ? [`line ${line}: no heading for ${target}`] : [];
    });
    expect(broken).toEqual([]);
  });

  it('names existing files', () => {
    const missing = namedPathsOf(page)
      .filter(({ target }) => !existsSync(join(ROOT, target)))
      .map(({ line, target }) => `line ${line}: ${target}`);
    expect(missing).toEqual([]);
  });
});

describe('tables', () => {
  it(`have rows of at most ${String(MAX_ROW)} characters`, () => {
    const wide = pagePaths()
      .filter((path) => !path.startsWith('docs/adr/'))
      .flatMap((path) => findWideRows(readPage(path), MAX_ROW).map((line) => `${path}:${String(line)}`));
    expect(wide).toEqual([]);
  });

  it('are found outside blocks only', () => {
    expect(findWideRows('| a |\n| long cell |\n```text\n| long cell |\n```', 10)).toEqual([2]);
  });
});

describe('docs/life-of-a-proposal.md', () => {
  it('names the files of every stage and port that a proposal passes', () => {
    const named = new Set(namedPathsOf(readPage('docs/life-of-a-proposal.md')).map(({ target }) => target));
    for (const folder of [
      'libs/http',
      'libs/registry',
      'libs/stages/ingest',
      'libs/stages/writer',
      'libs/stages/indexer',
    ]) {
      expect([...named].some((target) => target.startsWith(`${folder}/`))).toBe(true);
    }
  });
});
