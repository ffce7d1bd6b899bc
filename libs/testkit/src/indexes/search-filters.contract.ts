import { beforeEach, describe, expect, it } from '@jest/globals';
import type {
  FieldOrder,
  FieldValue,
  PlaceInOrder,
  RangeEnd,
  SearchCriterion,
  SearchDocument,
  SearchFilter,
  SearchRequest,
} from '@stratalog/domain';
import type { SearchIndex } from '@stratalog/ports';
import {
  MAX_ASKED_KEY_LENGTH,
  boundTokens,
  compareKeys,
  toFilterKey,
  toFilterToken,
  matches,
  matchesFilter,
  parseQuery,
  rankQuery,
} from '@stratalog/search-text';
import fc from 'fast-check';
import { SEARCH_FIELDS, datasetUrn, projectDocument } from '../builders';

/** Longer than any key that an engine may store in one piece. */
const LONG = Array.from({ length: 150 }, (_, at) => `w${String(at)}.`).join('');
/**
 * Texts that differ in case only, share a beginning or an end, contain pattern characters, repeat one letter, are empty,
 * or are long and differ only far behind.
 */
const TEXTS = [
  ...['orders', 'Orders', 'order', 'daily_orders', 'a%b', 'a_b', 'a.*b', 'a\\b', "it's", '(x|y)', '*', 'ß'],
  ...['日本', '\u{1f600}b', '\uffee', 'a\nb', 'a\u0000b', ';', 'a'.repeat(500), 'a'.repeat(3_000)],
  ...[
    '',
    ' ',
    'a?b',
    'ab',
    'ΑΣ',
    'É',
    LONG,
    `${LONG}x`,
    `${LONG}Y`,
    `x${LONG}`,
    `a${'\u{1f600}'.repeat(700)}b`,
  ],
];
const SIZES: readonly (number | bigint)[] = [
  ...[-1.5, -1, 0, 0.25, 1, 2, 10, 1e300, -1e300],
  ...[2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n, -(2n ** 63n)],
];

const text = fc.constantFrom(...TEXTS);
const size = fc.constantFrom(...SIZES);
const contents = fc.record({
  name: fc.array(text, { maxLength: 2 }),
  tags: fc.array(text, { maxLength: 3 }),
  size: fc.array(size, { maxLength: 2 }),
});

const value: fc.Arbitrary<FieldValue> = fc.oneof(text, size);
const key = value.map(toFilterKey);
/** A part of a key, or a text that no key contains. */
const part = fc.oneof(
  fc
    .tuple(
      key,
      fc.oneof(fc.nat(6), fc.nat(2_048)),
      fc.oneof(fc.constantFrom(1, 2, MAX_ASKED_KEY_LENGTH), fc.nat(40)),
    )
    .map(([whole, from, length]) => {
      const start = from % (whole.length + 1);
      return wholeLetters(whole.slice(start, start + length));
    }),
  fc
    .tuple(key, fc.integer({ min: 1, max: MAX_ASKED_KEY_LENGTH }))
    .map(([whole, length]) => wholeLetters(whole.slice(-length))),
  fc.constantFrom('', 'zzz', 'a', 'b', 'order'),
);
const end: fc.Arbitrary<RangeEnd> = fc.record({
  key: key.map((whole) => wholeLetters(whole.slice(0, MAX_ASKED_KEY_LENGTH))),
  isIncluded: fc.boolean(),
});
const someOf = (one: fc.Arbitrary<string>): fc.Arbitrary<readonly string[]> =>
  fc.array(one, { minLength: 1, maxLength: 3 });

const criterion: fc.Arbitrary<SearchCriterion> = fc
  .tuple(
    fc.subarray(['name', 'tags', 'size', 'nothing'], { minLength: 1, maxLength: 2 }),
    fc.boolean(),
    fc.oneof(
      fc.constant({ condition: 'exists' as const }),
      someOf(value.map(toFilterToken)).map((anyOf) => ({ condition: 'equal' as const, anyOf })),
      someOf(key).map((anyOf) => ({ condition: 'equalKey' as const, anyOf })),
      someOf(part).map((anyOf) => ({ condition: 'contain' as const, anyOf })),
      someOf(part).map((anyOf) => ({ condition: 'startWith' as const, anyOf })),
      someOf(part).map((anyOf) => ({ condition: 'endWith' as const, anyOf })),
      fc
        .record({ from: end, to: end }, { requiredKeys: [] })
        .map((ends) => ({ condition: 'range' as const, ...ends })),
    ),
  )
  .map(([fields, negated, test]) => ({ fields, negated, ...test }));

const filter: fc.Arbitrary<SearchFilter> = fc.array(fc.array(criterion, { maxLength: 3 }), { maxLength: 3 });
const order: fc.Arbitrary<readonly FieldOrder[]> = fc.array(
  fc.record({ field: fc.constantFrom('name', 'tags', 'size', 'nothing'), isDescending: fc.boolean() }),
  { maxLength: 2 },
);
const words = fc.constantFrom('*', '*', 'order', '-order', 'name:*', 'daily OR a', '(');

/** The contract of every {@link SearchIndex} for filters and orders. `open` returns an empty one. */
export function searchFiltersContract(open: () => Promise<SearchIndex>): void {
  describe('filters and orders of a SearchIndex', () => {
    const documents = fc.sample(contents, { numRuns: 70, seed: 11 }).map((content, at) =>
      projectDocument(datasetUrn(`f${String(at).padStart(2, '0')}`), 1, content, {
        removed: at % 7 === 3,
        weight: [1, 0.5, 2][at % 3] ?? 1,
      }),
    );
    const gone = projectDocument(
      datasetUrn('gone'),
      9,
      {},
      { removed: true, deleted: true, values: {}, text: [], filters: {} },
    );
    let index: SearchIndex;

    beforeEach(async () => {
      index = await open();
    });

    const ask = (asked: Partial<SearchRequest>): ReturnType<SearchIndex['search']> =>
      index.search({
        entityTypes: ['dataset'],
        query: { kind: 'all' },
        start: 0,
        count: 100,
        facets: [],
        facetLimit: 5,
        ...asked,
      });

    it('let through just what the reference semantics do, whatever the words, filter and order', async () => {
      await index.write([...documents, gone], new Map());
      await fc.assert(
        fc.asyncProperty(
          words,
          filter,
          fc.boolean(),
          order,
          async (input, asked, includesSoftDeleted, by) => {
            const query = parseQuery(input, SEARCH_FIELDS);
            const ranking = rankQuery(query);
            const found = await ask({ query, ranking, filter: asked, includesSoftDeleted, order: by });
            const expected = documents.filter(
              (document) =>
                (includesSoftDeleted || !document.removed) &&
                matches(query, document.text) &&
                matchesFilter(asked, document.filters),
            );
            expect(found.total).toBe(expected.length);
            expect(found.hits.map(({ urn }) => urn)).toEqual(inOrder(expected, by));
          },
        ),
        { numRuns: 250 },
      );
    });

    it('answer the same page of the same order, wherever it begins', async () => {
      await index.write([...documents, gone], new Map());
      const page = fc.record({ start: fc.nat(12), count: fc.nat(8) });
      const by = fc.option(order, { nil: undefined, freq: 1 });
      await fc.assert(
        fc.asyncProperty(
          words,
          filter,
          fc.boolean(),
          by,
          page,
          async (input, asked, includesSoftDeleted, own, place) => {
            const query = parseQuery(input, SEARCH_FIELDS);
            const found = await ask({
              query,
              filter: asked,
              includesSoftDeleted,
              ...place,
              ...(own === undefined ? {} : { order: own }),
            });
            const expected = documents.filter(
              (document) =>
                (includesSoftDeleted || !document.removed) &&
                matches(query, document.text) &&
                matchesFilter(asked, document.filters),
            );
            const inTurn = own === undefined ? byWeight(expected) : inOrder(expected, own);
            expect(found.total).toBe(expected.length);
            expect(found.hits.map(({ urn }) => urn)).toEqual(
              inTurn.slice(place.start, place.start + place.count),
            );
          },
        ),
        { numRuns: 250 },
      );
    });

    it('page by places, through ties and missing values, each hit once', async () => {
      await index.write(documents, new Map());
      await fc.assert(
        fc.asyncProperty(order, fc.integer({ min: 3, max: 30 }), async (by, count) => {
          const visible = documents.filter(({ removed }) => !removed);
          const walked: string[] = [];
          let after: PlaceInOrder | undefined;
          for (;;) {
            const { hits, total } = await ask({
              order: by,
              count,
              ...(after === undefined ? {} : { after }),
            });
            expect(total).toBe(visible.length);
            walked.push(...hits.map(({ urn }) => urn));
            after = hits.at(-1);
            if (hits.length < count) break;
          }
          expect(walked).toEqual(inOrder(visible, by));
        }),
        { numRuns: 25 },
      );
    });

    it('order many hits of equal keys by urn, wherever a page or a place begins', async () => {
      const sorts = ['red', 'green', 'blue', LONG, 'green'];
      const equals = Array.from({ length: 40 }, (_, at) =>
        projectDocument(datasetUrn(`e${String(at).padStart(2, '0')}`), 1, {
          name: [at % 2 === 0 ? 'even' : 'odd'],
          ...(at % 8 === 7 ? {} : { tags: [at % 16 === 5 ? 'amber' : (sorts[(at * 3) % 5] ?? '')] }),
        }),
      );
      await index.write(equals, new Map());
      const asked = fc.record({
        by: fc
          .record({ field: fc.constantFrom('name', 'tags'), isDescending: fc.boolean() })
          .map((one) => [one]),
        input: fc.constantFrom('*', '*', 'even'),
        start: fc.nat(10),
        count: fc.integer({ min: 1, max: 8 }),
      });
      await fc.assert(
        fc.asyncProperty(asked, async ({ by, input, start, count }) => {
          const query = parseQuery(input, SEARCH_FIELDS);
          const expected = inOrder(
            equals.filter((document) => matches(query, document.text)),
            by,
          );
          const first = await ask({ query, order: by, start, count });
          expect(first.hits.map(({ urn }) => urn)).toEqual(expected.slice(start, start + count));
          const after = first.hits.at(-1);
          if (after === undefined) return;
          const next = await ask({ query, order: by, count, after });
          expect(next.hits.map(({ urn, keys }) => [urn, keys.length])).toEqual(
            expected.slice(start + count, start + 2 * count).map((urn) => [urn, 1]),
          );
        }),
        { numRuns: 150 },
      );
    });

    it('go on behind a place whatever is written meanwhile', async () => {
      const urns = Array.from({ length: 6 }, (_, at) => datasetUrn(`s${String(at)}`));
      await index.write(
        urns.map((urn) => projectDocument(urn, 1, { name: ['steady'] })),
        new Map(),
      );
      const first = await ask({ order: [], count: 3 });
      const [before, behind] = [datasetUrn('a'), datasetUrn('z')];
      await index.write(
        [
          projectDocument(before, 1, { name: ['new'] }),
          projectDocument(behind, 1, { name: ['new'] }),
          projectDocument(urns[0] ?? '', 2, { name: ['changed'] }),
          projectDocument(urns[4] ?? '', 2, { name: ['changed'] }, { removed: true }),
        ],
        new Map(),
      );
      const last = first.hits.at(-1);
      const next = await ask({ order: [], count: 10, ...(last === undefined ? {} : { after: last }) });
      expect([...first.hits, ...next.hits].map(({ urn }) => urn)).toEqual([
        ...urns.filter((_, at) => at !== 4),
        behind,
      ]);
    });

    it('follow the keys of an entity through its changes', async () => {
      const urn = datasetUrn('changing');
      const steady = projectDocument(datasetUrn('steady'), 1, { name: ['m', LONG], tags: ['a'] });
      await index.write([steady], new Map());
      let seq = 1;
      await fc.assert(
        fc.asyncProperty(contents, criterion, order, async (content, asked, by) => {
          const changing = projectDocument(urn, ++seq, content);
          await index.write([changing], new Map());
          const both = [changing, steady];
          const passing = both.filter(({ filters }) => matchesFilter([[asked]], filters));
          expect((await ask({ filter: [[asked]], order: by })).hits.map(({ urn: hit }) => hit)).toEqual(
            inOrder(passing, by),
          );
          expect((await ask({ order: by })).hits.map(({ urn: hit }) => hit)).toEqual(inOrder(both, by));
        }),
        { numRuns: 60 },
      );
      await index.write([projectDocument(urn, 1, { name: ['too late'] })], new Map());
      const late: SearchFilter = [
        [{ fields: ['name'], negated: false, condition: 'contain', anyOf: ['too late'] }],
      ];
      expect((await ask({ filter: late })).total).toBe(0);
    });

    it('never find what was deleted as a whole', async () => {
      await index.write([gone, projectDocument(datasetUrn('removed'), 1, {}, { removed: true })], new Map());
      const asked: SearchFilter = [[{ fields: ['nothing'], negated: true, condition: 'exists' }]];
      const { hits } = await ask({ filter: asked, includesSoftDeleted: true });
      expect(hits.map(({ urn }) => urn)).toEqual([datasetUrn('removed')]);
    });

    it('take a filter of thousands of values, and many lists', async () => {
      const named = projectDocument(datasetUrn('named'), 1, { name: ['v1999'], tags: ['t199'] });
      await index.write([named], new Map());
      const values = Array.from({ length: 2_000 }, (_, at) => toFilterToken(`v${String(at)}`));
      const wide: SearchFilter = [[{ fields: ['name'], negated: false, condition: 'equal', anyOf: values }]];
      const long: SearchFilter = Array.from({ length: 200 }, (_, at) => [
        { fields: ['tags'], negated: false, condition: 'startWith', anyOf: [`t${String(at)}`] },
      ]);
      for (const asked of [wide, long]) expect((await ask({ filter: asked })).total).toBe(1);
    });

    it('are queries next to ranges, in alternatives', async () => {
      const own = (name: string, size: number) =>
        projectDocument(datasetUrn(name), 1, { name: [name], size: [size] });
      await index.write(
        [own('orders', 1), own('orders_old', 9), own('sales', 9), own('visits', 1)],
        new Map(),
      );
      const words = (input: string, negated = false): SearchFilter[number][number] => ({
        condition: 'query',
        query: parseQuery(input, SEARCH_FIELDS),
        fields: [],
        negated,
      });
      const large = {
        condition: 'range',
        fields: ['size'],
        negated: false,
        from: { key: toFilterKey(5), isIncluded: false },
      } as const;
      const named = async (asked: SearchFilter): Promise<readonly string[]> =>
        (await ask({ filter: asked })).hits.map(({ urn }) => urn.split(',')[1] ?? '').sort();

      expect(await named([[words('visits')], [large]])).toEqual(['orders_old', 'sales', 'visits']);
      expect(await named([[words('orders'), large]])).toEqual(['orders_old']);
      expect(await named([[words('orders'), { ...large, negated: true }], [words('sales')]])).toEqual([
        'orders',
        'sales',
      ]);
      expect(
        await named([
          [words('orders', true), large],
          [words('*rder*'), large],
        ]),
      ).toEqual(['orders_old', 'sales']);
      expect(await named([[words('(orders OR sales) -old')]])).toEqual(['orders', 'sales']);
    });

    it('take a list of up to 20,000 urns, for hits and for facets', async () => {
      const tagged = (name: string, ...tags: readonly string[]) =>
        projectDocument(datasetUrn(name), 1, { name: [name], tags });
      await index.write([tagged('n1', 'x'), tagged('n2', 'x', 'y'), tagged('other', 'x')], new Map());
      const urns = Array.from({ length: 20_000 }, (_, at) => datasetUrn(`n${String(at)}`));
      const facets = [{ fields: ['tags'] as const }];
      for (const input of ['*', 'n1 OR n2 OR other']) {
        const query = parseQuery(input, SEARCH_FIELDS);
        const found = await ask({ query, urns, facets, order: [] });
        expect(found.hits.map(({ urn }) => urn)).toEqual([datasetUrn('n1'), datasetUrn('n2')]);
        expect(found.facets[0]?.counts).toEqual([
          { values: ['x'], count: 2 },
          { values: ['y'], count: 1 },
        ]);
      }
      const none: SearchFilter = [[{ fields: ['name'], negated: false, condition: 'equal', anyOf: [] }]];
      const others = await ask({ urns, filter: [], facets: [{ fields: ['tags'], filter: none }] });
      expect([others.total, others.facets[0]?.counts]).toEqual([0, []]);
      expect((await ask({ urns: [] })).total).toBe(0);
    });

    it('hold a document of as many words and values as there may be', async () => {
      const filler = (letter: string, length: number): string[] =>
        Array.from({ length: 4_000 }, (_, at) => `${letter}${String(at).padStart(length, '0')}`);
      const full = projectDocument(datasetUrn('full'), 1, {
        name: filler('n', 60),
        description: [filler('d', 30).join(' ')],
        tags: filler('t', 40),
        size: [7],
      });
      await index.write([{ ...full, text: boundTokens(full.text) }], new Map());
      const asked: SearchFilter = [
        [{ fields: ['size'], negated: false, condition: 'equal', anyOf: [toFilterToken(7)] }],
      ];
      expect((await ask({ filter: asked })).total).toBe(1);
    });
  });
}

/** Removes half of a surrogate pair at either end. */
function wholeLetters(text: string): string {
  return text.replaceAll(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** Orders documents as a search does that ranks nothing. */
function byWeight(documents: readonly SearchDocument[]): readonly string[] {
  return [...documents]
    .sort((a, b) => b.weight - a.weight || compareKeys(a.urn, b.urn))
    .map(({ urn }) => urn);
}

/** Sorts urns as specified: by lowest or highest key, documents without a key last, ties by urn. */
function inOrder(documents: readonly SearchDocument[], order: readonly FieldOrder[]): readonly string[] {
  const keyOf = ({ filters }: SearchDocument, { field, isDescending }: FieldOrder): string | undefined =>
    [...(filters[field]?.keys ?? [])].sort(compareKeys).at(isDescending ? -1 : 0);
  return [...documents]
    .sort((a, b) => {
      for (const by of order) {
        const [one, other] = [keyOf(a, by), keyOf(b, by)];
        if (one === other) continue;
        if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
        return by.isDescending ? compareKeys(other, one) : compareKeys(one, other);
      }
      return compareKeys(a.urn, b.urn);
    })
    .map(({ urn }) => urn);
}
