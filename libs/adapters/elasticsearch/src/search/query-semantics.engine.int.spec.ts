import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { QueryNode, SearchDocument } from '@stratalog/domain';
import type { SearchIndex } from '@stratalog/ports';
import { matches, parseQuery } from '@stratalog/search-text';
import { SEARCH_FIELDS, indexVersionsOver, projectDocument } from '@stratalog/testkit';
import fc from 'fast-check';
import { openSearchEngine } from '../engine/open-search-engine';
import type { SearchEngine } from '../engine/search-engine';
import { ElasticsearchSearchIndexVersionStore } from './search-index-version-store';
import { ENGINES, removeIndices, scratchPrefix } from '../engine/test-engines';

const word = fc.constantFrom(
  ...[
    'dim',
    'dim_sale',
    'dimsale',
    'saleDay',
    'dim_saleDay',
    'saleDay_dim',
    'saleday',
    'sale',
    'sales',
    'day',
  ],
  ...[
    'days',
    'my',
    'Münze',
    'münz',
    'привет',
    'приветМир_sale',
    'мир',
    'sale_привет',
    '顧客データ',
    'x-1',
    'v2',
    'a',
    'ab',
  ],
  ...['q'.repeat(250), `${'q'.repeat(249)}_day`, 'Q'.repeat(300)],
);
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const values = fc.array(text, { maxLength: 3 });
const contents = fc.record({
  name: values,
  description: values,
  tags: fc.array(
    word.map((name) => `urn:li:tag:${name}`),
    { maxLength: 2 },
  ),
});

const { query } = fc.letrec<{ query: string; part: string }>((tie) => ({
  query: fc.array(tie('part'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' ')),
  part: fc.oneof(
    { maxDepth: 3 },
    word,
    word.map((one) => `${one.slice(0, -1)}*`),
    text.map((words) => `"${words}"`),
    text.map((words) => `"${words.slice(0, -1)}"*`),
    fc.tuple(fc.constantFrom('name', 'description', 'tags'), word).map(([field, one]) => `${field}:${one}`),
    fc.tuple(fc.constantFrom('name', 'description'), text).map(([field, words]) => `${field}:"${words}"`),
    fc.constantFrom('name:*', 'tags:*', 'OR', '*'),
    tie('part').map((part) => `-${part}`),
    tie('query').map((inner) => `(${inner})`),
  ),
}));

/** Arbitrary phrases, including some that the query language cannot express. */
const phrase = fc
  .record({
    field: fc.constantFrom(undefined, 'name', 'description'),
    words: fc.array(word, { minLength: 1, maxLength: 4 }),
    prefix: fc.boolean(),
  })
  .map(({ field, words, prefix }): QueryNode => {
    const tokens = words.map((one) => one.toLowerCase().replaceAll(/[^a-z0-9]/g, '') || 'dim');
    return { kind: 'phrase', ...(field === undefined ? {} : { field }), tokens, prefix };
  });

/** Compares the reference semantics with an engine, on random queries and random documents. */
describe.each(ENGINES)('query semantics on $name', ({ url }) => {
  const documents: readonly SearchDocument[] = fc
    .sample(contents, { numRuns: 150, seed: 42 })
    .map((content, at) => projectDocument(`urn:li:t:${String(at).padStart(3, '0')}`, 1, content));
  let engine: SearchEngine;
  let index: SearchIndex;

  beforeAll(async () => {
    engine = await openSearchEngine({ url, indexPrefix: scratchPrefix() });
    const indexes = indexVersionsOver(new ElasticsearchSearchIndexVersionStore(engine));
    index = await indexes.create({ storeId: 'a'.repeat(32), epoch: 1, mapping: 'm' });
    await index.write(documents, new Map());
  });
  afterAll(async () => {
    await removeIndices(engine);
    await engine.close();
  });

  const expectSame = async (node: QueryNode): Promise<void> => {
    const found = await index.search({
      entityTypes: ['dataset'],
      query: node,
      start: 0,
      count: 1_000,
      facets: [],
      facetLimit: 1,
    });
    const expected = documents.filter((document) => matches(node, document.text)).map(({ urn }) => urn);
    expect(found.hits.map(({ urn }) => urn).sort()).toEqual(expected);
    expect(found.total).toBe(expected.length);
  };

  it('finds the same documents for every query of the language', async () => {
    await fc.assert(
      fc.asyncProperty(query, (input) => expectSame(parseQuery(input, SEARCH_FIELDS))),
      { numRuns: 600 },
    );
  });

  it('finds the same documents for every phrase of up to four words', async () => {
    await fc.assert(fc.asyncProperty(phrase, expectSame), { numRuns: 400 });
  });

  it('finds the same documents for deeply nested queries', async () => {
    const nested = (depth: number): string =>
      depth === 0 ? 'dim' : `(day ${depth % 2 === 0 ? '' : 'OR '}-(${nested(depth - 1)}))`;
    for (const depth of [5, 12, 13, 25, 49]) await expectSame(parseQuery(nested(depth), SEARCH_FIELDS));
  });

  it('accepts the longest query', async () => {
    const words = Array.from({ length: 128 }, (_, at) => `w${at}_x`);
    for (const input of [
      words.join(' OR '),
      words.map((each) => `${each}*`).join(' OR '),
      `"${words.join(' ')}"*`,
    ]) {
      await expectSame(parseQuery(`${input} OR dim`, SEARCH_FIELDS));
    }
  });
});
