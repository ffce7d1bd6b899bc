import { describe, expect, it } from '@jest/globals';
import { analyzeField } from '../analysis/analyze-field';
import { joinNeighbours } from '../query/join-neighbours';
import { parseQuery } from '../query/parse-query';
import { NAME } from '../testing/name-field';
import { analyzeNames } from './names';
import { rankQuery } from './rank-query';
import { scoreMatch } from './score-match';

/** Orders names by their score for a query; names of equal score stand together. */
function ranked(query: string, names: readonly string[]): readonly string[] {
  const fields = new Map([[NAME.name, NAME]]);
  const ranking = rankQuery(joinNeighbours(parseQuery(query, fields)));
  const scores = new Map<number, string[]>();
  for (const name of names) {
    const text = [analyzeField(NAME, [name]), analyzeNames([name])];
    const score = scoreMatch(ranking, { text, weight: 1 });
    scores.set(score, [...(scores.get(score) ?? []), name]);
  }
  return [...scores].sort(([one], [other]) => other - one).map(([, equal]) => equal.join(' '));
}

describe('names rank', () => {
  it.each([
    ['PII', ['test_db.security:pii', 'PII', 'pii_columns'], ['PII', 'test_db.security:pii', 'pii_columns']],
    ['orders', ['shop.orders', 'orders', 'orders/2024.csv'], ['orders', 'shop.orders', 'orders/2024.csv']],
    [
      'shop.orders',
      ['eu.shop.orders', 'shop.orders', 'shop.orders_eu'],
      ['eu.shop.orders shop.orders', 'shop.orders_eu'],
    ],
    ['tags', ['tag', 'tags', 'a.tag'], ['tags', 'tag', 'a.tag']],
    [
      'training job',
      ['training-job/input.csv', 'a-training-job'],
      ['a-training-job', 'training-job/input.csv'],
    ],
    ['customers', ['dw.dim_customers', 'customers/2024.csv'], ['dw.dim_customers', 'customers/2024.csv']],
    ['orders', ['shop.orders.v2', 'orders_old'], ['shop.orders.v2', 'orders_old']],
    [
      'back orders',
      ['orders_back', 'daily_backorders', 'backorders'],
      ['backorders', 'orders_back', 'daily_backorders'],
    ],
  ])('names rank for %s', (query, names, expected) => {
    expect(ranked(query, names)).toEqual(expected);
  });

  it('the names of a path are its last step, its last two steps, and the whole', () => {
    expect(analyzeNames(['lake/sales/the_orders']).completions).toEqual([
      ...['theorders', 'theorder', 'orders', 'order'],
      ...['/lakesalestheorders', '/lakesalestheorder', '/salestheorders', '/salestheorder'],
    ]);
    expect(analyzeNames(['...', '']).completions).toEqual([]);
  });
});
