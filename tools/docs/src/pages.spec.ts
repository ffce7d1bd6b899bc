import { existsSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { extractAnchors, extractLinks, namedPathsOf } from './markdown';
import { pagePaths, readPage } from './pages';

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
