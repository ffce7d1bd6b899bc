import { describe, expect, it } from '@jest/globals';
import type { Facet, FacetRequest } from '@stratalog/domain';
import { allSteps } from '@stratalog/json';
import fc from 'fast-check';
import { countFacet, countIds, decodeIds, encodeIds, groupByField, NO_ID } from './facet-counts';
import type { FacetValue } from './facet-values';

/** Values by their ids, from 1. */
const VALUES: readonly FacetValue[] = ['\u{1f600}', '\uffee', 'b', 'a', 'é', ''].flatMap((value) => [
  { field: 'tags', value },
  { field: 'owners', value },
]);
const BY_ID = new Map(VALUES.map((value, at) => [at + 1, value]));

type Match = ReadonlySet<number>;
const match: fc.Arbitrary<Match> = fc
  .uniqueArray(fc.integer({ min: 1, max: VALUES.length }), { maxLength: 6 })
  .map((ids) => new Set(ids));

function encode(matches: readonly Match[]): Buffer {
  return encodeIds(matches.flatMap((own, at) => (at === 0 ? [...own] : [NO_ID, ...own])));
}

function count(matches: readonly Match[], facet: FacetRequest, limit: number): Facet['counts'] {
  const encoded = encode(matches);
  const { counts, ids } = allSteps(countIds(encoded));
  const values = new Map(ids.map((id) => [id, BY_ID.get(id) ?? { field: '', value: '' }]));
  return allSteps(countFacet({ matches: encoded, counts, fields: groupByField(values) }, facet, limit))
    .counts;
}

/** Counts one match after another, and sorts everything by count and bytes. */
function countNaively(
  matches: readonly Match[],
  { fields, always = [] }: FacetRequest,
  limit: number,
): Facet['counts'] {
  const counts = new Map<string, number>();
  for (const own of matches) {
    const valuesOf = (field: string | undefined): readonly string[] =>
      [...own].flatMap((id) => (BY_ID.get(id)?.field === field ? [BY_ID.get(id)?.value ?? ''] : []));
    const [first, second] = fields;
    const found = valuesOf(first).flatMap((one) =>
      second === undefined ? [[one]] : valuesOf(second).map((other) => [one, other]),
    );
    for (const values of found) {
      const key = JSON.stringify(values);
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const toBytes = (values: readonly string[]): Buffer => Buffer.from(values.join('\0'));
  return [...counts]
    .map(([key, own]) => ({ values: JSON.parse(key) as string[], count: own }))
    .sort((a, b) => b.count - a.count || Buffer.compare(toBytes(a.values), toBytes(b.values)))
    .filter(({ values: [value = ''] }, at) => at < limit || always.includes(value));
}

describe('ids of facet values', () => {
  it('are what was encoded, and NO_ID alone has a byte that is 0', () => {
    const id = fc.oneof(fc.nat(300), fc.nat(2 ** 31 - 1), fc.constantFrom(127, 128, 16_383, 16_384));
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        const encoded = encodeIds(ids);
        expect(decodeIds(encoded)).toEqual(ids);
        expect(encoded.filter((byte) => byte === 0)).toHaveLength(
          ids.filter((each) => each === NO_ID).length,
        );
      }),
    );
  });
});

describe('facet counts', () => {
  it('are right for more matches than one step reads', () => {
    const many = Array.from(
      { length: 30_000 },
      (_, at): Match => new Set(at % 3 === 0 ? [1, 2, 40_000] : [1, 300]),
    );
    const { counts, ids } = allSteps(countIds(encode(many)));
    expect(ids.map((id) => [id, counts[id]])).toEqual([
      [1, 30_000],
      [2, 10_000],
      [300, 20_000],
      [40_000, 10_000],
    ]);
    expect(count(many, { fields: ['tags', 'owners'] }, 5)).toEqual([
      { values: ['\u{1f600}', '\u{1f600}'], count: 10_000 },
    ]);
  });

  it.each([
    { fields: ['tags'] },
    { fields: ['tags'], always: ['a', '\uffee', 'nothing'] },
    { fields: ['owners', 'tags'] },
    { fields: ['tags', 'tags'] },
  ] satisfies FacetRequest[])('equal a naive count for %j', (facet) => {
    fc.assert(
      fc.property(fc.array(match, { maxLength: 40 }), fc.integer({ min: 0, max: 7 }), (matches, limit) => {
        expect(count(matches, facet, limit)).toEqual(countNaively(matches, facet, limit));
      }),
    );
  });

  it('are none for matches without a value', () => {
    expect(count([new Set(), new Set()], { fields: ['tags'] }, 5)).toEqual([]);
  });
});
