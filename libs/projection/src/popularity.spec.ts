import { describe, expect, test } from '@jest/globals';
import type { StoredAspect, StoredEntity } from '@stratalog/domain';
import { allSteps, stringifyJson, type JsonOutputObject } from '@stratalog/json';
import { toRankingMultiplier, weighPopularity } from './popularity';

const used = (features?: JsonOutputObject): StoredEntity => {
  const created = { time: 1, actor: 'urn:li:corpuser:x' };
  const common = { version: 1, created, aspectCreated: created, systemMetadata: {}, observed: {} };
  const aspects: readonly StoredAspect[] =
    features === undefined ? [] : [{ name: 'usageFeatures', value: stringifyJson(features), ...common }];
  return { urn: 'urn:li:dataset:a', seq: 1, deleted: false, aspects };
};

describe('weighPopularity', () => {
  test.each([
    [undefined, 1],
    [{}, 1],
    [{ combinedSearchRankingMultiplier: 1 }, 1],
    [{ combinedSearchRankingMultiplier: 1.4, queryCountPercentileLast30Days: 100 }, 1.2],
    [{ combinedSearchRankingMultiplier: 9 }, 1.5],
    [{ combinedSearchRankingMultiplier: 0.1 }, 1],
    [{ queryCountPercentileLast30Days: 20, uniqueUserPercentileLast30Days: 60 }, 1.3],
    [{ queryCountLast30Days: 100_000 }, 1.5],
    [{ queryCountLast30Days: 0 }, 1],
  ])('strong, %j: %d', (features, factor) => {
    expect(allSteps(weighPopularity('strong', used(features)))).toBeCloseTo(factor, 6);
    expect(allSteps(weighPopularity('off', used(features)))).toBe(1);
  });

  test('weak is less than a documented asset gains, and never nothing', () => {
    const factor = allSteps(weighPopularity('weak', used({ combinedSearchRankingMultiplier: 2 })));

    expect(factor).toBeGreaterThan(1);
    expect(factor * 0.99).toBeLessThan(1);
  });
});

test.each([
  [0, 0, 1],
  [1, 0, 1.1],
  [0, 1, 1.1],
  [20, 11, 1.5],
  [1_023, 0, 2],
  [900_000, 900_000, 2],
])('%d users and %d referrers: %d', (users, referrers, multiplier) => {
  expect(toRankingMultiplier({ users, referrers })).toBe(multiplier);
});
