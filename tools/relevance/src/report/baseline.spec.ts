import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '@stratalog/harness';
import { summarize, type QueryFigures, type Summary } from '../measure/summarize';
import { findLosses, readBaseline } from './baseline';
import { replaceFigures } from './format-page';

const EMPTY_PAGE =
  '<!-- figures: written by npm run relevance -- --write-baseline -->\n<!-- end of figures -->\n';

const query = (kind: QueryFigures['kind'], mrr: number, ndcg: number): QueryFigures => ({
  kind,
  ask: kind,
  in: 'dataset',
  mrr,
  ndcg,
});

function summaryWith(mrr: number, ndcg: number): Summary {
  return summarize([query('typos', mrr, ndcg), query('columns', 1, 1), query('columns', 1, 1)]);
}

describe('the baseline', () => {
  it('tolerates a fall of 0.02 and any rise', () => {
    expect(findLosses(summaryWith(0.5, 0.5), summaryWith(0.481, 0.9))).toEqual([]);
  });

  it('names each figure that fell further, with both values', () => {
    expect(findLosses(summaryWith(0.5, 0.5), summaryWith(0.47, 0.3))).toEqual([
      'all: ndcg fell from 0.833 to 0.767',
      'typos: mrr fell from 0.500 to 0.470',
      'typos: ndcg fell from 0.500 to 0.300',
    ]);
  });

  it('lists a query once that is among the worst of every engine', () => {
    const postgres = summarize([query('typos', 0, 0.25), query('columns', 1, 0.5)]);
    const opensearch = summarize([query('columns', 1, 0.5), query('labels', 1, 0.375)]);
    const page = replaceFigures(EMPTY_PAGE, { '10': { postgres, opensearch } });
    expect(page.split('\n').filter((line) => line.startsWith('- '))).toEqual([
      '- 0.250: `typos` (typos, dataset, PostgreSQL), no best hit\\',
      '- 0.375: `labels` (labels, dataset, OpenSearch), no best hit\\',
      '- 0.500: `columns` (columns, dataset), no best hit\\',
    ]);
  });

  it('stands in the page as the tool writes it', () => {
    const page = readFileSync(join(ROOT, 'docs/relevance.md'), 'utf8');
    expect(page).toBe(replaceFigures(page, readBaseline()));
  });
});
