import fc from 'fast-check';
import type { Operation } from './operation';
import { timestampMs, prefix, tag, word, words } from './random-values';

/**
 * Criteria of every condition, on fields that most of the searched types have, some of them not searchable.
 */
const criterion = fc.oneof(
  fc
    .constantFrom('hive', 'postgres')
    .map((name) => ({ field: 'platform', value: `urn:li:dataPlatform:${name}` })),
  fc.record({
    field: fc.constantFrom('tags', 'owners', 'removed'),
    condition: fc.constantFrom('EXISTS', 'IS_NULL'),
  }),
  fc.array(tag, { minLength: 1, maxLength: 3 }).map((values) => ({ field: 'tags', condition: 'IN', values })),
  fc.record({
    field: fc.constantFrom('urn', 'description', 'id', 'name', 'customProperties', 'origin'),
    condition: fc.constantFrom(
      'CONTAIN',
      'START_WITH',
      'END_WITH',
      'EQUAL',
      'IEQUAL',
      'GREATER_THAN',
      'LIKE',
    ),
    value: fc.oneof(word, words, fc.constantFrom('PROD', '', 'a', '%', '.*')),
    negated: fc.boolean(),
  }),
  fc.boolean().map((removed) => ({ field: 'removed', value: String(removed) })),
  timestampMs.map((time) => ({ field: 'lastOperationTime', condition: 'LESS_THAN', value: String(time) })),
);
export const filter = fc
  .array(fc.record({ and: fc.array(criterion, { minLength: 1, maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 2,
  })
  .map((or) => ({ or }));
const sort = fc.record({
  field: fc.constantFrom('urn', 'description', 'origin', 'nothing', 'removed'),
  order: fc.constantFrom('ASCENDING', 'DESCENDING'),
});

/** Searches and lists that filter and order. */
export const filtered: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    action: fc.constantFrom('filter', 'list', 'search', 'searchAcrossEntities', 'scrollAcrossEntities'),
    entity: fc.constantFrom('dataset', 'dataset', 'dataset', 'tag', 'chart', 'corpuser'),
    input: fc.oneof(fc.constant('*'), word),
    facets: fc.option(
      fc.subarray(['tags', 'platform', 'owners', '_entityType', '_entityType␞typeNames', 'tool', 'nothing']),
      { nil: undefined },
    ),
    filter: fc.option(filter, { nil: undefined, freq: 4 }),
    sort: fc.option(sort, { nil: undefined }),
    start: fc.constantFrom(0, 0, 2),
    count: fc.constantFrom(50, 50, 2),
  })
  .map(({ prefix: before, action, ...body }) => ({
    method: 'POST',
    target: `${before}/entities?action=${action}`,
    body: JSON.stringify({ ...body, entities: [body.entity] }),
  }));
