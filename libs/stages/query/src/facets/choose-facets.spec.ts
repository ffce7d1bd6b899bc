import { describe, expect, it } from '@jest/globals';
import type { EntityType } from '@stratalog/registry';
import { chooseFacets, listRequests, type ChosenFacet } from './choose-facets';
import { countFacets } from './format-facets';

const TYPES = [{ filters: new Map([['typeNames', 'Sub Type']]) }] as unknown as readonly EntityType[];
const TYPE = '_entityType';
const NESTED = '_entityType␞typeNames';

function choose(names: readonly string[], selected: ReadonlyMap<string, readonly string[]> = new Map()) {
  return chooseFacets(TYPES, { names }, { selected }, () => undefined);
}

/** Counts as an index would: each request has one value, its number. */
function count(chosen: readonly ChosenFacet[]) {
  const counted = listRequests(chosen).map(({ fields }, at) => ({
    counts: [{ values: fields.map(String), count: at + 1 }],
  }));
  return countFacets(chosen, counted).map(({ name, values }) => [name, values.map((value) => value.count)]);
}

describe('listRequests', () => {
  it('counts the entity type once for its facet and the nested one', () => {
    const chosen = choose(['typeNames', TYPE, NESTED]);
    expect(listRequests(chosen)).toEqual([
      { fields: ['typeNames'] },
      { fields: [TYPE] },
      { fields: [TYPE, 'typeNames'] },
    ]);
    expect(count(chosen)).toEqual([
      ['typeNames', [1]],
      [TYPE, [2]],
      [NESTED, [2, 3]],
    ]);
  });

  it('counts it twice where a selected value is counted beyond the limit', () => {
    const chosen = choose([NESTED, TYPE], new Map([[TYPE, ['dataset']]]));
    expect(listRequests(chosen)).toEqual([
      { fields: [TYPE] },
      { fields: [TYPE, 'typeNames'] },
      { fields: [TYPE], always: ['dataset'] },
    ]);
    expect(count(chosen)).toEqual([
      [NESTED, [1, 2]],
      [TYPE, [3, 0]],
    ]);
  });
});
