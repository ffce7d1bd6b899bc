import { expect, test } from '@jest/globals';
import type { Explanation } from './explain-search';
import { diffExplanations, formatEngineExplanation } from './explain-search-query';

const BASE = { query: 'orders', total: 2, document: {}, indexed: null };
const TERM = { reason: 'orders equals name', boost: 10, possible: 10 };
const FOUND: Explanation = {
  ...BASE,
  urn: 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)',
  found: true,
  rank: 1,
  score: 11,
  reasons: ['Rank 1 of 2.', '+10: orders equals name.', 'The sum is multiplied.'],
  terms: [TERM],
};
const ABSENT: Explanation = {
  ...BASE,
  urn: 'urn:li:tag:b',
  found: false,
  reasons: ['It lacks orders.'],
  terms: [],
};

test('the explanation of a found entity has its score and its terms', () => {
  expect(formatEngineExplanation('glossaryTerm', FOUND)).toEqual({
    index: 'glossarytermindex_v2',
    id: 'urn%3Ali%3Adataset%3A(urn%3Ali%3AdataPlatform%3Ahive%2Corders%2CPROD)',
    matched: true,
    explanation: {
      value: 11,
      description: 'Rank 1 of 2. The sum is multiplied.',
      details: [{ value: 10, description: 'orders equals name', details: [] }],
    },
  });
});

test('the explanation of an entity that is not found says why', () => {
  expect(formatEngineExplanation('tag', ABSENT)).toMatchObject({
    matched: false,
    explanation: { value: 0, details: [{ value: 0, description: 'It lacks orders.', details: [] }] },
  });
});

test('the difference of two explanations has the lines of each', () => {
  const other: Explanation = { ...FOUND, urn: 'urn:li:tag:c', rank: 2, score: 11 };
  expect(diffExplanations(FOUND, other).split('\n')).toEqual([
    `--- ${FOUND.urn}`,
    '+++ urn:li:tag:c',
    '- rank 1, score 11',
    '  10: orders equals name',
    '+ rank 2, score 11',
    '',
  ]);
  expect(diffExplanations(FOUND, ABSENT)).toContain('+ not found\n+ It lacks orders.\n');
});
