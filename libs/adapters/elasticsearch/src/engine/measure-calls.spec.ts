import { expect, test } from '@jest/globals';
import { nameOperation } from './measure-calls';

test.each([
  ['/_bulk', 'bulk'],
  ['/stratalog-1/_search', 'search'],
  ['/stratalog-meta/_doc/position-1', 'doc'],
  ['/stratalog-1/_delete_by_query', 'delete_by_query'],
  ['/', 'other'],
  ['/my_search_index', 'other'],
])('the path %s is a call of the kind %s', (path, operation) => {
  expect(nameOperation(path)).toBe(operation);
});
