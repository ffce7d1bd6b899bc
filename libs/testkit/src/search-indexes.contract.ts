import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SearchDocument, SearchRequest } from '@stratalog/model';
import type { SearchIndex } from '@stratalog/ports';
import { matches, parseQuery } from '@stratalog/search-text';
import fc from 'fast-check';
import { SEARCH_FIELDS, datasetUrn, projectDocument } from './builders';
import {
  IDENTITY,
  indexVersionsContract,
  indexVersionsOver,
  type OpenedIndexVersions,
} from './index-versions.contract';
import { searchFiltersContract } from './search-filters.contract';

/** The contract of every {@link SearchIndex} and the store of its versions. */
export function searchIndexesContract(open: () => Promise<OpenedIndexVersions<SearchIndex>>): void {
  indexVersionsContract({
    name: 'SearchIndexVersions',
    open,
    project: (urn, seq) => projectDocument(urn, seq, { name: ['steady'] }),
    urnsIn: (index) => found(index, '*'),
  });

  searchFiltersContract(async () => indexVersionsOver((await open()).versions).create(IDENTITY));

  describe('SearchIndex', () => {
    let index: SearchIndex;

    beforeEach(async () => {
      index = await indexVersionsOver((await open()).versions).create(IDENTITY);
    });

    it('finds by word, phrase, prefix, field and combination', async () => {
      const orders = projectDocument(datasetUrn('orders'), 1, {
        name: ['customer_orders'],
        description: ['Every order of a customer, one row each'],
        tags: ['urn:li:tag:Legacy'],
      });
      const returns = projectDocument(datasetUrn('returns'), 1, {
        name: ['returns'],
        description: ['customers who sent one back'],
      });
      await index.write([orders, returns], new Map());

      const expectations: readonly [string, readonly SearchDocument[]][] = [
        ['orders', [orders]],
        ['customer', [orders, returns]],
        ['"one row each"', [orders]],
        ['"row one each"', []],
        ['cust*', [orders, returns]],
        ['retur*', [returns]],
        ['name:customer', [orders]],
        ['tags:Legacy', [orders]],
        ['tags:urn:li:tag:Legacy', [orders]],
        ['tags:Leg', []],
        ['tags:*', [orders]],
        ['customer -orders', [returns]],
        ['orders OR returns', [orders, returns]],
        ['(orders OR returns) one', [orders, returns]],
        ['nothing', []],
        ['*', [orders, returns]],
      ];
      for (const [query, documents] of expectations) {
        expect([query, (await found(index, query)).sort()]).toEqual([
          query,
          documents.map(({ urn }) => urn).sort(),
        ]);
      }
    });

    it('finds just what the reference semantics find, whatever the documents and the query', async () => {
      const word = fc.constantFrom(
        'order',
        'orders',
        'Customer',
        'customer_id',
        'röntgen',
        'ab',
        'abc',
        '日本',
        'x-1',
      );
      const texts = fc.array(
        fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' ')),
        { maxLength: 2 },
      );
      const query = fc
        .array(
          fc.oneof(
            word,
            word.map((w) => `-${w}`),
            word.map((w) => `${w}*`),
            word.map((w) => `name:${w}`),
            fc.constant('OR'),
          ),
          {
            minLength: 1,
            maxLength: 4,
          },
        )
        .map((parts) => parts.join(' '));
      let round = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.record({ name: texts, description: texts }), { minLength: 1, maxLength: 5 }),
          query,
          async (values, text) => {
            round++;
            const entityType = `t${String(round)}`;
            const documents = values.map((own, at) =>
              projectDocument(`urn:li:t:${String(round)}-${String(at)}`, 1, own, { entityType }),
            );
            await index.write(documents, new Map());
            const node = parseQuery(text, SEARCH_FIELDS);
            const expected = documents
              .filter((document) => matches(node, document.text))
              .map(({ urn }) => urn);
            expect((await found(index, text, { entityTypes: [entityType] })).sort()).toEqual(expected.sort());
          },
        ),
        { numRuns: 60 },
      );
    });

    it('counts exactly, pages in a stable order, and ranks a match in the name above one in the text', async () => {
      const documents = Array.from({ length: 25 }, (_, at) =>
        projectDocument(datasetUrn(`d${String(at).padStart(2, '0')}`), 1, { description: ['about sales'] }),
      );
      const named = projectDocument(datasetUrn('zzz'), 1, {
        name: ['sales'],
        description: ['something else'],
      });
      await index.write([...documents, named], new Map());
      const first = await search(index, 'sales', { count: 10 });
      expect(first.total).toBe(26);
      expect(first.hits[0]?.urn).toBe(named.urn);
      const pages = await Promise.all(
        [0, 10, 20, 30].map((start) => search(index, 'sales', { start, count: 10 })),
      );
      const urns = pages.flatMap((page) => page.hits.map(({ urn }) => urn));
      expect(urns).toEqual([named.urn, ...documents.map(({ urn }) => urn)]);
      expect(pages.map(({ total }) => total)).toEqual([26, 26, 26, 26]);
    });

    it('ranks by weight what words do not tell apart', async () => {
      const weighed = [0.5, 2, 1].map((weight, at) =>
        projectDocument(datasetUrn(`w${String(at)}`), 1, { description: ['about sales'] }, { weight }),
      );
      await index.write(weighed, new Map());
      const heaviestFirst = [1, 2, 0].map((at) => datasetUrn(`w${String(at)}`));
      for (const query of ['sales', '*']) {
        const { hits } = await search(index, query);
        expect(hits.map(({ urn }) => urn)).toEqual(heaviestFirst);
      }
    });

    it('counts facet values over all matches, most frequent first', async () => {
      const tag = (name: string): string => `urn:li:tag:${name}`;
      await index.write(
        [
          projectDocument(datasetUrn('a'), 1, { name: ['x'], tags: [tag('b'), tag('a')] }),
          projectDocument(datasetUrn('b'), 1, { name: ['x'], tags: [tag('b')] }),
          projectDocument(datasetUrn('c'), 1, { name: ['y'], tags: [tag('c')] }),
          projectDocument(datasetUrn('d'), 1, { name: ['x'] }),
        ],
        new Map(),
      );
      const result = await search(index, 'x', { count: 1, facets: ['tags', 'nothing'] });
      expect(result.facets).toEqual([
        {
          field: 'tags',
          counts: [
            { value: tag('b'), count: 2 },
            { value: tag('a'), count: 1 },
          ],
        },
        { field: 'nothing', counts: [] },
      ]);
      const cut = await search(index, '*', { facets: ['tags'], facetLimit: 1 });
      expect(cut.facets[0]?.counts).toEqual([{ value: tag('b'), count: 2 }]);
    });

    it('counts a facet whatever stands before and behind it among all facets, alone and beside others', async () => {
      const facets = ['a', 'browse', 'platform', 'tags', 'zone'];
      await index.write(
        facets.map((name, at) =>
          projectDocument(
            datasetUrn(name),
            1,
            { name: ['x'] },
            {
              entityType: name,
              facets: { [name]: [`urn:li:dataPlatform:${String(at)}`] },
            },
          ),
        ),
        new Map(),
      );
      for (const entityType of [...facets, 'nothing']) {
        for (const asked of [...facets, 'm', 'zz', '.*', 'a.b']) {
          const result = await search(index, '*', { entityTypes: [entityType], facets: [asked] });
          const value = `urn:li:dataPlatform:${String(facets.indexOf(asked))}`;
          const counts = asked === entityType ? [{ value, count: 1 }] : [];
          expect([entityType, result.facets]).toEqual([entityType, [{ field: asked, counts }]]);
        }
      }
      const { facets: all } = await search(index, '*', { entityTypes: facets, facets });
      expect(all.map(({ field, counts }) => [field, counts.length])).toEqual(facets.map((name) => [name, 1]));
    });

    it('holds a document with many long values that have nothing in common', async () => {
      const urn = datasetUrn('wide');
      const tags = Array.from({ length: 700 }, () => `urn:li:tag:${randomUUID()}-${randomUUID()}`);
      await index.write([projectDocument(urn, 1, { name: ['wide'], tags })], new Map());
      const result = await search(index, `tags:${String(tags[650])}`, { facets: ['tags'], facetLimit: 5 });
      expect(result.hits.map((hit) => hit.urn)).toEqual([urn]);
      expect(result.facets[0]?.counts).toHaveLength(5);
    });

    it('answers the stored values of a hit', async () => {
      await index.write([projectDocument(datasetUrn('a'), 1, { name: ['Übung "x"'] })], new Map());
      expect((await search(index, '*')).hits[0]?.values).toEqual({ name: ['Übung "x"'] });
    });

    it('hides removed documents and shows them again', async () => {
      const urn = datasetUrn('hidden');
      await index.write([projectDocument(urn, 1, { name: ['hidden'] }, { removed: true })], new Map());
      expect(await found(index, 'hidden')).toEqual([]);
      expect(await found(index, '*')).toEqual([]);
      await index.write([projectDocument(urn, 2, { name: ['hidden'] })], new Map());
      expect(await found(index, 'hidden')).toEqual([urn]);
    });

    it('never lets a document go back behind its seq', async () => {
      const urn = datasetUrn('versions');
      await index.write([projectDocument(urn, 5, { name: ['five'] })], new Map());
      await index.write([projectDocument(urn, 4, { name: ['four'] })], new Map());
      expect(await found(index, 'five')).toEqual([urn]);
      expect(await found(index, 'four')).toEqual([]);
      await index.write([projectDocument(urn, 5, { name: ['again'] })], new Map());
      expect(await found(index, 'again')).toEqual([urn]);
    });

    it('shows what was written without a position with the next write that has one', async () => {
      await index.write([projectDocument(datasetUrn('page1'), 1, { name: ['paged'] })]);
      await index.write([projectDocument(datasetUrn('page2'), 1, { name: ['paged'] })]);
      await index.write([], new Map([[0, 2]]));
      expect(await found(index, 'paged')).toEqual([datasetUrn('page1'), datasetUrn('page2')]);
    });

    it('tells its position with each answer', async () => {
      const position = new Map([
        [0, 2],
        [7, 4],
      ]);
      await index.write([projectDocument(datasetUrn('p'), 1, { name: ['p'] })], position);
      expect((await search(index, 'p')).position).toEqual(position);
    });

    it('tells equal contents from different ones', async () => {
      const urns = [datasetUrn('a'), datasetUrn('b')];
      await index.write(
        urns.map((urn) => projectDocument(urn, 1, { name: ['same'] })),
        new Map(),
      );
      const before = await index.fingerprintsAfter(undefined, 10);
      expect(before.map(({ urn }) => urn)).toEqual(urns);
      expect(await index.fingerprintsAfter(urns[0], 10)).toEqual(before.slice(1));
      await index.write(
        [
          projectDocument(urns[0] ?? '', 2, { name: ['same'] }),
          projectDocument(urns[1] ?? '', 2, { name: ['other'] }),
        ],
        new Map(),
      );
      const after = await index.fingerprintsAfter(undefined, 10);
      expect(after[0]?.fingerprint).toBe(before[0]?.fingerprint);
      expect(after[1]?.fingerprint).not.toBe(before[1]?.fingerprint);
    });
  });
}

type Options = Partial<Omit<SearchRequest, 'query'>>;

async function search(
  index: SearchIndex,
  text: string,
  options: Options = {},
): ReturnType<SearchIndex['search']> {
  const query = parseQuery(text, SEARCH_FIELDS);
  return index.search({
    entityTypes: ['dataset'],
    query,
    start: 0,
    count: 100,
    facets: [],
    facetLimit: 20,
    ...options,
  });
}

async function found(index: SearchIndex, text: string, options: Options = {}): Promise<string[]> {
  return (await search(index, text, options)).hits.map(({ urn }) => urn);
}
