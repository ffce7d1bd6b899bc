import { describe, expect, it } from '@jest/globals';
import type { SearchField } from '@stratalog/domain';
import { analyzeField } from '../analysis/analyze-field';
import { matches } from '../matching/matches';
import { analyzeNames } from '../ranking/names';
import { scoreMatch } from '../ranking/score-match';
import { NO_SYNONYMS, Synonyms } from '../synonyms/synonyms';
import { relaxQuery } from './relax-query';
import { suggestSpelling } from './suggest-spelling';
import { Vocabulary, collectVocabulary } from './vocabulary';

const field = (name: string, boost: number): SearchField => ({
  name,
  type: 'WORD_GRAM',
  queryByDefault: true,
  boost,
  autocomplete: false,
  aliases: [],
});
const FIELDS = new Map([field('name', 10), field('description', 1)].map((each) => [each.name, each]));

const NAMES = [
  'shop.customer_orders',
  'shop.customerorders_archive',
  'shop.shareholders',
  'web.web_sessions',
  'web.website_visits',
  'finance.monthly_revenue',
];
const documents = NAMES.map((name) => ({
  name,
  weight: 1,
  text: [...FIELDS.values()]
    .filter((each) => each.name === 'name')
    .map((each) => analyzeField(each, [name]))
    .concat(analyzeNames([name])),
}));
const vocabulary = new Vocabulary(documents.flatMap(({ text }) => collectVocabulary(text)));

/** The kind of the first relaxation that finds a name, and the names by rank. */
function relaxed(text: string, { correctsSpelling = false, synonyms = NO_SYNONYMS } = {}): readonly string[] {
  for (const { kind, query, ranking } of relaxQuery(text, FIELDS, vocabulary, {
    correctsSpelling,
    synonyms,
  })) {
    const found = documents
      .filter((document) => matches(query, document.text))
      .map((document) => ({ name: document.name, score: scoreMatch(ranking, document) }))
      .sort((one, other) => other.score - one.score);
    if (found.length > 0) return [kind, ...found.map(({ name }) => name)];
  }
  return [];
}

describe('relaxQuery', () => {
  it.each([
    ['custom_ord', ['similarWords', 'shop.customer_orders']],
    ['web sess', ['similarWords', 'web.web_sessions']],
    ['web site', ['similarWords', 'web.website_visits']],
    ['websessions', ['similarWords', 'web.web_sessions']],
    ['reholders', ['similarWords', 'shop.shareholders']],
    ['revenue zebra', ['someWords', 'finance.monthly_revenue']],
    ['monthly revenue zebra', ['someWords', 'finance.monthly_revenue']],
    ['zebra', []],
    ['revenu OR zebra', []],
    ['"zebra revenue"', []],
    ['-revenue zebr', []],
  ])('relaxes %s', (text, expected) => {
    expect(relaxed(text)).toEqual(expected);
  });

  it('keeps what a query demands or excludes', () => {
    expect(relaxed('custom_ord -customer')).toEqual(['someWords', 'shop.customerorders_archive']);
    expect(relaxed('custom name:archive')).toEqual(['similarWords', 'shop.customerorders_archive']);
  });

  it('corrects spelling only on demand, and ranks what is meant above what contains the letters', () => {
    expect(relaxed('oders')).toEqual([]);
    expect(relaxed('holders')).toEqual(['similarWords', 'shop.shareholders']);
    expect(relaxed('custmer ordres')).toEqual([]);
    expect(relaxed('custmer ordres', { correctsSpelling: true })).toEqual([
      'similarWords',
      'shop.customer_orders',
    ]);
    expect(relaxed('shareholdrs', { correctsSpelling: true })[1]).toBe('shop.shareholders');
  });

  it('takes synonyms too', () => {
    const synonyms = Synonyms.parse('rev = revenue');
    expect(relaxed('month rev', { synonyms })).toEqual(['similarWords', 'finance.monthly_revenue']);
  });
});

describe('suggestSpelling', () => {
  it.each([
    ['revenu', []],
    ['revnue', ['revenue']],
    ['Monthly revenu-e', []],
    ['monthly  REVNUE', ['monthly  revenue']],
    ['custmer_orders', ['customer_orders']],
    ['qqqqq', []],
    ['revnue qqqqq', []],
    ['"revnue"', []],
  ])('suggests for %s', (text, expected) => {
    expect(suggestSpelling(text, FIELDS, vocabulary, 3).map((each) => each.text)).toEqual(expected);
  });

  it('scores by the letters that stay', () => {
    expect(suggestSpelling('revnue', FIELDS, vocabulary, 3)).toEqual([{ text: 'revenue', score: 1 - 1 / 6 }]);
  });
});
