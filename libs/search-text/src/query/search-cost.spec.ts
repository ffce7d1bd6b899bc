import { describe, expect, it } from '@jest/globals';
import {
  InvalidRequestError,
  type FacetRequest,
  type QueryNode,
  type SearchCriterion,
  type SearchFilter,
} from '@stratalog/domain';
import { parseQuery } from './parse-query';
import { limitFacetFilters, rejectCostly, rejectManyValues } from './search-cost';

/** Terms of a query that count; further ones are ignored. */
const MOST_WORDS = 256;
const ALL: QueryNode = { kind: 'all' };
const times = <T>(count: number, each: T): readonly T[] => Array<T>(count).fill(each);
const texts = (count: number): readonly string[] => times(count, 'x');

function criterion(
  test: Pick<SearchCriterion, 'condition'> & { readonly anyOf?: readonly string[] },
  fields = 1,
) {
  return { ...test, fields: texts(fields), negated: false } as SearchCriterion;
}
const contain = (count = 1): SearchCriterion => criterion({ condition: 'contain', anyOf: texts(count) });
const alternatives = (count: number, of: SearchCriterion): SearchFilter => times(count, [of]);

describe('The cost of a search', () => {
  it.each<[string, SearchFilter]>([
    ['33 groups with a CONTAIN each', alternatives(33, contain())],
    ['one CONTAIN of 100 texts', [[contain(100)]]],
    ['40 ranges at once', [times(40, criterion({ condition: 'range' }))]],
    [
      '200 groups with an IN of 10 values each',
      alternatives(200, criterion({ condition: 'equal', anyOf: texts(10) })),
    ],
    ['200 fields that must be there', [times(200, criterion({ condition: 'exists' }))]],
  ])('accepts %s', (_, filter) => {
    expect(() => {
      rejectCostly({ query: ALL, filter });
    }).not.toThrow();
  });

  it.each<[string, number, SearchFilter]>([
    ['34 groups with a CONTAIN each', 408, alternatives(34, contain())],
    ['100 groups with a CONTAIN each', 1_200, alternatives(100, contain())],
    ['100 criteria in one group', 1_200, [times(100, contain())]],
    ['41 ranges', 410, alternatives(41, criterion({ condition: 'range' }))],
    [
      '21 values in no matter which case, of a name with two fields',
      420,
      alternatives(21, criterion({ condition: 'equalKey' }, 2)),
    ],
  ])('rejects %s', (_, cost, filter) => {
    const rejected = (): void => {
      rejectCostly({ query: ALL, filter });
    };
    expect(rejected).toThrow(InvalidRequestError);
    expect(rejected).toThrow(
      `The search would cost ${String(cost)} units, and one may cost 400 (filter ${String(cost)}, order 0, input 0).`,
    );
    expect(rejected).toThrow('Name alternatives as the values of one criterion');
  });

  it('adds input and order to the filter', () => {
    const query = parseQuery(
      Array.from({ length: MOST_WORDS }, (_, at) => `a${String(at)}*`).join(' OR '),
      new Map(),
    );
    const order = times(8, { field: 'name', isDescending: false });
    expect(() => {
      rejectCostly({ query, order, filter: alternatives(8, contain()) });
    }).not.toThrow();
    expect(() => {
      rejectCostly({ query, order, filter: alternatives(9, contain()) });
    }).toThrow('(filter 108, order 40, input 256)');
  });
});

describe('The facets of a search', () => {
  const everything = { entityTypes: [], query: ALL, start: 0, count: 0, facetLimit: 20 };
  const own = (filter: SearchFilter): FacetRequest => ({ fields: ['tags'], filter, always: ['x'] });

  it('keep their own filters while these are cheap', () => {
    const filter = alternatives(5, contain());
    const facets = [own(filter), own(alternatives(4, contain())), own(filter)];
    expect(limitFacetFilters({ ...everything, filter, facets })).toBe(facets);
  });

  it('count the matches of the search when their filters together cost too much', () => {
    const filter = alternatives(20, contain());
    const facets = [own(filter), own(alternatives(19, contain()))];
    const plain = { fields: ['tags'], always: ['x'] };
    expect(limitFacetFilters({ ...everything, filter, facets })).toEqual([plain, plain]);
  });

  const single: FacetRequest = { fields: ['a'] };
  const belowType: FacetRequest = { fields: ['_entityType', 'a'] };
  const belowOther: FacetRequest = { fields: ['a', 'b'] };
  it.each<[string, readonly FacetRequest[], number]>([
    ['all of a model, and the types', [...times(60, single), belowType], 300],
    ['50 of 1,000 values', times(50, single), 1_000],
    ['two nested ones', [belowOther, belowOther], 20],
  ])('may be %s', (_, facets, facetLimit) => {
    expect(() => {
      rejectManyValues({ facets, facetLimit });
    }).not.toThrow();
  });

  it.each<[string, readonly FacetRequest[], number]>([
    ['51 of 1,000 values', times(51, single), 1_000],
    ['three nested ones', times(3, belowOther), 20],
  ])('may not be %s', (_, facets, facetLimit) => {
    expect(() => {
      rejectManyValues({ facets, facetLimit });
    }).toThrow(/values, and may have 50000.*Name fewer facets, or lower searchFlags\/maxAggValues/);
  });
});
