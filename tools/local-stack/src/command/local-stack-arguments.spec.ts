import { expect, test } from '@jest/globals';
import { parseLocalStackArguments as parse } from './local-stack-arguments';

test('data are thrown away and the engine is OpenSearch unless told otherwise', () => {
  expect(parse([])).toEqual({ kind: 'start', dataDir: undefined, engine: 'opensearch' });
  expect(parse(['--data', 'here', '--engine', 'elasticsearch'])).toEqual({
    kind: 'start',
    dataDir: 'here',
    engine: 'elasticsearch',
  });
  expect(parse(['-h'])).toEqual({ kind: 'help' });
});

test.each([
  [['--engine', 'solr'], '--engine is "solr"; allowed: opensearch, elasticsearch'],
  [['--data', ''], '--data is empty; allowed: a folder'],
  [['--speed'], "Unknown option '--speed'"],
  [['now'], "Unexpected argument 'now'"],
])('%j is refused', (args, fault) => {
  expect(parse(args)).toEqual({ kind: 'usage', fault: expect.stringContaining(fault) });
});
