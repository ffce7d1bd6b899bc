import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { QueryNode, SearchDocument, SearchFilter, SearchHit, SearchRequest } from '@stratalog/domain';
import type { SearchIndex } from '@stratalog/ports';
import {
  matches,
  parseCompletion,
  parseStart,
  parseQuery,
  rankQuery,
  rankStart,
  scoreMatch,
  toFilterToken,
} from '@stratalog/search-text';
import fc from 'fast-check';
import { SEARCH_FIELDS, datasetUrn, projectDocument } from '../builders';
import {
  IDENTITY,
  indexVersionsContract,
  indexVersionsOver,
  type OpenedIndexVersions,
} from './index-versions.contract';
import { indexBuildContract } from './index-build.contract';
import { searchFiltersContract } from './search-filters.contract';

/** The contract of every {@link SearchIndex} and the store of its versions. */
export function searchIndexesContract(open: () => Promise<OpenedIndexVersions<SearchIndex>>): void {
  indexVersionsContract({
    name: 'SearchIndexVersions',
    open,
    project: (urn, seq) => projectDocument(urn, seq, { name: ['steady'] }),
    urnsIn: (index) => found(index, '*'),
  });

  indexBuildContract(open);
  searchIndexContract(open);
}

/** The contract of every {@link SearchIndex} alone, for further ways of storing and searching the same versions. */
export function searchIndexContract(open: () => Promise<OpenedIndexVersions<SearchIndex>>): void {
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
        ['*ustome*', [orders, returns]],
        ['*DERS', [orders]],
        ['*ustome', []],
        ['name:*ustom*', [orders]],
        ['tags:*egac*', [orders]],
        ['*ustome* -*turn*', [orders]],
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
            word.map((w) => `*${w.slice(1)}`),
            word.map((w) => `name:*${w.slice(1, 4)}*`),
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
            const ranking = rankQuery(node);
            const expected = documents
              .filter((document) => matches(node, document.text))
              .map((document) => ({ urn: document.urn, score: scoreMatch(ranking, document) }))
              .sort((one, other) => other.score - one.score || (one.urn < other.urn ? -1 : 1));
            const { hits } = await search(index, text, { entityTypes: [entityType] });
            expect(hits.map(({ urn, score }) => ({ urn, score: Math.round(score * 100) / 100 }))).toEqual(
              expected.map(({ urn, score }) => ({ urn, score: Math.round(score * 100) / 100 })),
            );
          },
        ),
        { numRuns: 60 },
      );
    });

    it('finds each of a thousand columns of a schema of records, by its name and by its path', async () => {
      const names = Array.from({ length: 1_000 }, (_, at) => `customer_id_${String(at)}`);
      const written = (name: string): string =>
        `[version=2.0].[type=Envelope].[type=Row].after.[type=string].${name}`;
      const wide = projectDocument(datasetUrn('wide'), 1, { description: names.map(written) });
      await index.write([wide], new Map());
      for (const name of ['customer_id_0', 'customer_id_500', 'customer_id_999']) {
        const forms = [
          name,
          `"${name}"`,
          written(name),
          `"${written(name)}"`,
          `after.${name}`,
          `"after.${name}"`,
        ];
        for (const form of forms.flatMap((each) => [each, `description:${each}`])) {
          expect([form, await found(index, form)]).toEqual([form, [wide.urn]]);
        }
      }
      for (const query of [
        'type',
        'customer_id_1000',
        '"after.customer_id_1000"',
        '"before.customer_id_1"',
      ]) {
        expect([query, await found(index, query)]).toEqual([query, []]);
      }
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

    it('ranks an equal name first, then ends of paths, beginnings of names and of paths, words of names, and words elsewhere', async () => {
      const named = (name: string, description: string): SearchDocument =>
        projectDocument(datasetUrn(name), 1, { name: [name], description: [description] });
      const documents = [
        named('shop.new_customer_orders', 'x'),
        named('raw.other', 'customer orders'),
        named('a.customer.orders_of_today', 'x'),
        named('a.CustomerOrders', 'x'),
        named('CustomerOrders', 'x'),
        named('b.orders', 'of a customer'),
        named('m.customer_orders_backup', 'x'),
      ];
      await index.write(documents, new Map());
      const expected = [
        'CustomerOrders',
        'a.CustomerOrders',
        'm.customer_orders_backup',
        'a.customer.orders_of_today',
        'shop.new_customer_orders',
        'b.orders',
        'raw.other',
      ];
      for (const query of ['customer orders', 'Customer Orders']) {
        expect(await found(index, query)).toEqual(expected.map(datasetUrn));
      }
      const [first] = await found(index, 'customer_orders');
      expect(first).toBe(datasetUrn('CustomerOrders'));
    });

    it('ranks many matches by their names, and the best of them by all words', async () => {
      const documents = Array.from({ length: 400 }, (_, at) =>
        projectDocument(datasetUrn(`d${String(at).padStart(3, '0')}`), 1, {
          name: [at < 150 ? `sales_${String(at)}` : `t${String(at)}`],
          description: [at % 2 === 0 ? 'about sales' : 'other'],
          tags: at % 2 === 0 ? [] : ['urn:li:tag:sales'],
        }),
      );
      await index.write(documents, new Map());
      const ranking = rankQuery(parseQuery('sales', SEARCH_FIELDS));
      const pages = await Promise.all(
        [0, 100, 200, 300].map((start) => search(index, 'sales', { start, count: 100 })),
      );
      const hits = pages.flatMap((page) => page.hits);
      expect(new Set(hits.map(({ urn }) => urn)).size).toBe(400);
      const scores = new Map(documents.map((document) => [document.urn, scoreMatch(ranking, document)]));
      const best = hits.slice(0, 150).map(({ urn }) => scores.get(urn) ?? 0);
      expect(best).toEqual([...scores.values()].sort((one, other) => other - one).slice(0, 150));
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
      const result = await search(index, 'x', {
        count: 1,
        facets: [{ fields: ['tags'] }, { fields: ['nothing'] }],
      });
      expect(result.facets).toEqual([
        {
          counts: [
            { values: [tag('b')], count: 2 },
            { values: [tag('a')], count: 1 },
          ],
        },
        { counts: [] },
      ]);
      const cut = await search(index, '*', { facets: [{ fields: ['tags'] }], facetLimit: 1 });
      expect(cut.facets[0]?.counts).toEqual([{ values: [tag('b')], count: 2 }]);
      const always = [tag('c'), tag('b'), tag('none'), 'a\u0000b'];
      const kept = await search(index, '*', { facets: [{ fields: ['tags'], always }], facetLimit: 1 });
      expect(kept.facets[0]?.counts).toEqual([
        { values: [tag('b')], count: 2 },
        { values: [tag('c')], count: 1 },
      ]);
    });

    it('counts facets of thousands of values exactly', async () => {
      // Each twin is a tag of one document of the first half and of one of the second, which are written apart.
      const twins = Array.from({ length: 10 }, (_, at) => `z${String(at)}`);
      const documents = Array.from({ length: 400 }, (_, at) => {
        const own = Array.from({ length: 12 }, (_, nth) => `u${String(at)}-${String(nth)}`);
        const tags = [...own, twins[at % 200] ?? 'u'];
        return projectDocument(
          datasetUrn(`d${String(at)}`),
          1,
          { name: ['x'] },
          { facets: { kind: ['k'], tags } },
        );
      });
      await index.write(documents.slice(0, 200), new Map([[0, 1]]));
      await index.write(documents.slice(200), new Map([[0, 2]]));
      const facets = [{ fields: ['kind', 'tags'] as const }, { fields: ['tags'] as const }];
      const result = await search(index, '*', { count: 1, facets, facetLimit: 11 });
      const counted = ['u', ...twins].map((value) => ({ value, count: value === 'u' ? 380 : 2 }));
      expect(result.facets).toEqual([
        { counts: counted.map(({ value, count }) => ({ values: ['k', value], count })) },
        { counts: counted.map(({ value, count }) => ({ values: [value], count })) },
      ]);
    });

    it('counts facet values with characters that no store holds', async () => {
      const names = ['a\ud800', '\udc00\u0000', '😀'];
      await index.write([projectDocument(datasetUrn('odd'), 1, { name: names, tags: names })], new Map());
      const { hits, facets } = await search(index, '*', { facets: [{ fields: ['tags'] }] });
      expect(hits).toHaveLength(1);
      const values = facets[0]?.counts.map((counted) => counted.values[0]);
      expect(values?.toSorted()).toEqual(['a\ufffd', '\ufffd\ufffd', '😀'].sort());
    });

    it('counts a facet whatever stands before and behind it among all facets, alone and with others', async () => {
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
          const result = await search(index, '*', {
            entityTypes: [entityType],
            facets: [{ fields: [asked] }],
          });
          const value = `urn:li:dataPlatform:${String(facets.indexOf(asked))}`;
          const counts = asked === entityType ? [{ values: [value], count: 1 }] : [];
          expect([entityType, result.facets]).toEqual([entityType, [{ counts }]]);
        }
      }
      const requests = facets.map((name) => ({ fields: [name] as const }));
      const { facets: all } = await search(index, '*', { entityTypes: facets, facets: requests });
      expect(all.map(({ counts }) => counts.length)).toEqual(facets.map(() => 1));
    });

    it('holds a document with many long values that have nothing in common', async () => {
      const urn = datasetUrn('wide');
      const tags = Array.from({ length: 700 }, () => `urn:li:tag:${randomUUID()}-${randomUUID()}`);
      await index.write([projectDocument(urn, 1, { name: ['wide'], tags })], new Map());
      const result = await search(index, `tags:${String(tags[650])}`, {
        facets: [{ fields: ['tags'] }],
        facetLimit: 5,
      });
      expect(result.hits.map((hit) => hit.urn)).toEqual([urn]);
      expect(result.facets[0]?.counts).toHaveLength(5);
    });

    it('counts a facet over the matches of its own filter, with the hits of another', async () => {
      const tag = (name: string): string => `urn:li:tag:${name}`;
      const named = (name: string, tags: readonly string[], removed = false): SearchDocument =>
        projectDocument(datasetUrn(name), 1, { name: [name, 'all'], tags: tags.map(tag) }, { removed });
      await index.write(
        [
          named('one', ['a']),
          named('two', ['a', 'b']),
          named('three', ['b']),
          named('gone', ['a', 'b'], true),
        ],
        new Map(),
      );
      const tagged = (name: string): SearchFilter => [
        [{ condition: 'equal', fields: ['tags'], negated: false, anyOf: [toFilterToken(tag(name))] }],
      ];
      const everything: SearchFilter = [[]];
      const result = await search(index, 'all', {
        filter: tagged('a'),
        facets: [
          { fields: ['tags'] },
          { fields: ['tags'], filter: everything },
          { fields: ['tags'], filter: tagged('b') },
          { fields: ['tags'], filter: [] },
        ],
      });
      expect([result.total, result.hits.map(({ urn }) => urn)]).toEqual([
        2,
        [datasetUrn('one'), datasetUrn('two')],
      ]);
      const counted = result.facets.map(({ counts }) =>
        counts.map(({ values, count }) => `${String(values)} ${String(count)}`),
      );
      expect(counted).toEqual([
        [`${tag('a')} 2`, `${tag('b')} 1`],
        [`${tag('a')} 2`, `${tag('b')} 2`],
        [`${tag('b')} 2`, `${tag('a')} 1`],
        [],
      ]);
    });

    it('answers one query with any number of facets, in any order', async () => {
      await index.write(
        [projectDocument(datasetUrn('a'), 1, { name: ['x'], tags: ['urn:li:tag:a'] })],
        new Map(),
      );
      const tags = { fields: ['tags'] as const };
      const pair = { fields: ['tags', 'tags'] as const };
      for (const count of [0, 1, 40, 41, 60]) {
        const facets = Array.from({ length: count }, (_, at) => (at % 7 === 3 ? pair : tags));
        const result = await search(index, 'x', { facets });
        const lengths = result.facets.map(({ counts: [first] }) => first?.values.length);
        expect(lengths).toEqual(facets.map(({ fields }) => fields.length));
      }
    });

    it('counts the pairs of two fields within a document', async () => {
      const colored = (name: string, facets: SearchDocument['facets']): SearchDocument =>
        projectDocument(datasetUrn(name), 1, { name: ['x'] }, { facets });
      await index.write(
        [
          colored('a', { shape: ['round'], color: ['red', 'blue'] }),
          colored('b', { shape: ['round'], color: ['blue'] }),
          colored('c', { shape: ['flat'] }),
          colored('d', { color: ['red'] }),
        ],
        new Map(),
      );
      const { facets } = await search(index, 'x', {
        facets: [{ fields: ['shape', 'color'] }, { fields: ['color'] }, { fields: ['shape', 'none'] }],
      });
      expect(facets.map(({ counts }) => counts)).toEqual([
        [
          { values: ['round', 'blue'], count: 2 },
          { values: ['round', 'red'], count: 1 },
        ],
        [
          { values: ['blue'], count: 2 },
          { values: ['red'], count: 2 },
        ],
        [],
      ]);
    });

    it('completes: equal values first, then beginnings of values, then words in any order', async () => {
      const texts = [
        'order',
        'Order lines',
        'customer order',
        'orders_2024',
        'lines of orders',
        'border',
        'Örder',
      ];
      await index.write(
        texts.map((text, at) =>
          projectDocument(datasetUrn(`c${String(at)}`), 1, { name: [text], description: [`order ${text}`] }),
        ),
        new Map(),
      );
      const name = SEARCH_FIELDS.get('name');
      if (name === undefined) throw new Error('the builders have no field name');
      const complete = async (
        text: string,
        options: Options = {},
      ): Promise<readonly (string | undefined)[]> => {
        const read = async (query: QueryNode, own: Options): Promise<readonly SearchHit[]> =>
          (await searchNode(index, query, own)).hits;
        const all = await read(parseCompletion(text, [name]), options);
        const start = parseStart(text, [name]);
        const beginning = await read(start, { ...options, ranking: rankStart(start) });
        // With the same scores, ties are the same, so pages of the one fit those of the other.
        expect(all.slice(0, beginning.length)).toEqual(beginning);
        return all.map(({ values }) => String(values.name?.[0]));
      };
      expect(await complete('ORDER')).toEqual([
        'order',
        'Örder',
        'Order lines',
        'orders_2024',
        'customer order',
        'lines of orders',
      ]);
      expect(await complete('ord', { count: 3 })).toEqual(['order', 'Order lines', 'orders_2024']);
      expect(await complete('lines ord')).toEqual(['Order lines', 'lines of orders']);
      expect(await complete('order ')).toEqual([
        'order',
        'Örder',
        'Order lines',
        'customer order',
        'orders_2024',
        'lines of orders',
      ]);
      expect(await complete('lin')).toEqual(['lines of orders', 'Order lines']);
      for (const nothing of ['', ' ', 'rder', '%', "'", '\\']) expect(await complete(nothing)).toEqual([]);
    });

    it('reads the stored values of entities', async () => {
      const [one, gone] = [datasetUrn('one'), datasetUrn('gone')];
      await index.write(
        [
          projectDocument(one, 1, { name: ['One'] }, { removed: true }),
          projectDocument(gone, 1, {}, { removed: true, deleted: true }),
        ],
        new Map(),
      );
      const values = await index.readValues([one, gone, datasetUrn('unknown')]);
      expect(values.get(one)).toEqual({ name: ['One'] });
      expect([...values.keys()]).toEqual([one]);
      expect(await index.readValues([])).toEqual(new Map());
    });

    it('answers the stored values of a hit', async () => {
      await index.write([projectDocument(datasetUrn('a'), 1, { name: ['Übung "x"'] })], new Map());
      expect((await search(index, '*')).hits[0]?.values).toEqual({ name: ['Übung "x"'] });
    });

    it('leaves out soft-deleted documents until they are restored', async () => {
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
  return searchNode(index, parseQuery(text, SEARCH_FIELDS), options);
}

function searchNode(
  index: SearchIndex,
  query: QueryNode,
  options: Options,
): ReturnType<SearchIndex['search']> {
  return index.search({
    entityTypes: ['dataset'],
    query,
    ranking: rankQuery(query),
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
