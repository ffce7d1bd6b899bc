import { expect, test } from '@jest/globals';
import { parseLocalStackArguments as parse } from './local-stack-arguments';

test('data are deleted and the engine is OpenSearch by default', () => {
  expect(parse([])).toEqual({ kind: 'start', engine: 'opensearch' });
  expect(parse(['--data', 'here', '--engine', 'elasticsearch', '--no-docker'])).toEqual({
    kind: 'start',
    data: 'here',
    engine: 'elasticsearch',
    docker: false,
  });
  expect(parse(['-h'])).toEqual({ kind: 'usage', status: 0, text: expect.stringContaining('Usage: ') });
});

test.each([
  [['--engine', 'solr'], /--engine.*'solr'.*opensearch, elasticsearch/],
  [['--data', ''], /--data.*Allowed: a folder/],
  [['--speed'], /unknown option '--speed'/],
  [['now'], /too many arguments/],
])('%j is rejected', (args, fault) => {
  expect(parse(args)).toEqual({ kind: 'usage', status: 2, text: expect.stringMatching(fault) });
});
