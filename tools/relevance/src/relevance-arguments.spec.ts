import { expect, test } from '@jest/globals';
import { parseRelevanceArguments } from './relevance-arguments';

test('measures 10,000 entities on PostgreSQL unless it is told otherwise', () => {
  expect(parseRelevanceArguments([])).toEqual({
    size: 10_000,
    seed: 1,
    engine: 'postgres',
    writeBaseline: false,
    writePage: false,
  });
});

test('takes size, engine, file and baseline', () => {
  const args = ['--size', '100000', '--engine', 'opensearch', '--json', 'a.json', '--write-baseline'];
  expect(parseRelevanceArguments(args)).toMatchObject({
    size: 100_000,
    engine: 'opensearch',
    json: 'a.json',
    writeBaseline: true,
  });
});

test('takes questions about our files, or about those of a folder', () => {
  expect(parseRelevanceArguments(['--questions', '--write-page'])).toMatchObject({ questions: true });
  expect(parseRelevanceArguments(['--questions', 'a', '--ask', 'a.yaml'])).toMatchObject({
    questions: 'a',
    ask: 'a.yaml',
  });
});

test.each([
  ['--size', '10'],
  ['--engine', 'lucene'],
  ['--write-baseline', '--seed', '2'],
  ['--questions', '--engine', 'opensearch'],
  ['--questions', 'a'],
  ['--questions', '--ask', 'a.yaml'],
  ['--questions', 'a', '--ask', 'a.yaml', '--write-page'],
  ['--write-page'],
])('rejects %s %s', (...args) => {
  expect(parseRelevanceArguments(args)).toMatchObject({ kind: 'usage', status: 2 });
});
