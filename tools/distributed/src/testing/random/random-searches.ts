import fc from 'fast-check';
import type { Operation } from './operation';
import { filter, filtered } from './random-filters';
import { anyUrn, flow, job, number, prefix, user, word, words } from './random-values';

/** A word without its third letter. */
const misspelt = word.map((text) => text.slice(0, 2) + text.slice(3));

const input = fc.oneof(
  word,
  words,
  fc.constant('*'),
  words.map((text) => `"${text}"`),
  word.map((text) => `${text.slice(0, 3)}*`),
  fc.tuple(word, word).map(([a, b]) => `${a} OR ${b}`),
  fc.tuple(word, word).map(([a, b]) => `${a} AND NOT ${b}`),
  word.map((text) => `description:${text}`),
  number.map((n) => `user${String(n)}`),
  misspelt,
  fc.tuple(misspelt, word).map(([a, b]) => `${a} ${b}`),
  fc.tuple(word, word).map(([a, b]) => `${a}${b}`),
  word.map((text) => `*${text.slice(1, 4)}*`),
  number.map((n) => `urn:[urn:li:dataset TO *] user${String(n)}`),
);

const flags = fc.record(
  {
    correctSpelling: fc.boolean(),
    fulltext: fc.boolean(),
    fragments: fc.boolean(),
    cards: fc.boolean(),
    includeSoftDeleted: fc.boolean(),
    skipHighlighting: fc.boolean(),
    skipAggregates: fc.boolean(),
    maxAggValues: fc.constantFrom(1, 5, 0),
  },
  { requiredKeys: [] },
);

const search: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    action: fc.constantFrom('search', 'search', 'search', 'noSuchAction'),
    input,
    entity: fc.constantFrom(
      'dataset',
      'dataset',
      'dataset',
      'tag',
      'corpuser',
      'chart',
      'dataJob',
      'glossaryTerm',
      'nonsense',
    ),
    start: fc.constantFrom(0, 0, 0, 3, -1),
    count: fc.constantFrom(10, 10, 50, 0, 1),
    searchFlags: fc.option(flags, { nil: undefined }),
  })
  .map(({ prefix: before, action, ...body }) => ({
    method: 'POST',
    target: `${before}/entities?action=${action}`,
    body: JSON.stringify(body),
  }));

const some = fc.option(filter, { nil: undefined, freq: 4 });
const entity = fc.constantFrom('dataset', 'dataset', 'chart', 'dataFlow', 'tag', 'corpuser');

const browsed: fc.Arbitrary<Operation> = fc
  .oneof(
    fc.record({
      action: fc.constant('browse'),
      entity,
      path: fc.constantFrom(
        '',
        '/',
        '/prod',
        '/prod/hive',
        '/prod/postgres',
        'prod/postgres/',
        '/looker',
        '/nowhere',
      ),
      start: fc.constantFrom(0, 0, 1, -1),
      limit: fc.constantFrom(10, 2, 0),
      filter: some,
    }),
    fc.record({
      action: fc.constant('browseV2'),
      entities: fc.subarray(['dataset', 'chart', 'dataFlow']),
      path: fc.constantFrom([], ['Default'], ['a', 'b'], '␟Default'),
      input: fc.oneof(fc.constant('*'), word),
      start: fc.constantFrom(0, 1),
      count: fc.constantFrom(10, 1),
      filter: some,
    }),
    fc.record({
      action: fc.constant('autocomplete'),
      entity: fc.option(entity, { nil: undefined }),
      query: fc.oneof(
        word,
        words,
        word.map((text) => text.slice(0, 2)),
        fc.constantFrom('', 'a', 'hive', '*'),
      ),
      limit: fc.constantFrom(10, 50, 0, -1),
      field: fc.constantFrom(undefined, undefined, 'name', 'nothing'),
      filter: some,
    }),
  )
  .map(({ action, ...body }) => ({
    method: 'POST',
    target: `/entities?action=${action}`,
    body: JSON.stringify(body),
  }));

const TYPES: readonly string[] = ['OwnedBy', 'TaggedWith', 'Consumes', 'Produces', 'IsPartOf', 'NoSuch'];
const notation = fc.constantFrom(
  (names: readonly string[]) => `types=List(${names.join(',')})`,
  (names: readonly string[]) => names.map((name) => `types=${name}`).join('&'),
  (names: readonly string[]) => `types=${names.join(',')}`,
);

const related: fc.Arbitrary<Operation> = fc
  .record({
    prefix,
    urn: fc.oneof(flow, flow, user, user, job, anyUrn),
    direction: fc.constantFrom('INCOMING', 'OUTGOING', 'UNDIRECTED', 'UNDIRECTED', 'UNDIRECTED', 'SIDEWAYS'),
    types: fc.tuple(notation, fc.oneof(fc.constant(TYPES), fc.subarray([...TYPES]))),
    page: fc.constantFrom('', '', '&start=1&count=2', '&count=0', '&start=-1'),
    isRemoval: fc.nat(19).map((n) => n === 0),
  })
  .map((drawn): Operation => {
    const at = `${drawn.prefix}/relationships?urn=${encodeURIComponent(drawn.urn)}`;
    if (drawn.isRemoval) return { method: 'DELETE', target: at };
    const [write, names] = drawn.types;
    return { method: 'GET', target: `${at}&direction=${drawn.direction}&${write(names)}${drawn.page}` };
  });

const explained: fc.Arbitrary<Operation> = fc
  .record({ urn: anyUrn, query: input, entity: fc.option(entity, { nil: undefined }) })
  .map(({ urn, query, entity: type }) => {
    const parameters = new URLSearchParams({ urn, query, ...(type === undefined ? {} : { entity: type }) });
    return { method: 'GET', target: `/operations/search/explain?${parameters.toString()}` };
  });

/** Searches, explanations of them, and edges in either direction. */
export const anySearch: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 2, arbitrary: search },
  { weight: 2, arbitrary: filtered },
  { weight: 1, arbitrary: related },
  { weight: 1, arbitrary: browsed },
  { weight: 1, arbitrary: explained },
);
