import { allSteps, parseInSteps, stringifyJson, type JsonValue } from '@stratalog/json';
import { describe, expect, test } from '@jest/globals';
import type { AspectType } from '../model/entity-registry';
import { modelOf, oneAspect } from '../testing/model-of';
import { computeSearchWeight as projectWeight } from './compute-search-weight';

const computeSearchWeight = (aspect: AspectType, value: JsonValue | undefined) =>
  allSteps(
    projectWeight(aspect, value === undefined ? undefined : allSteps(parseInSteps(stringifyJson(value)))),
  );

async function thingInfo(fields: string): Promise<AspectType> {
  const aspect = (await modelOf([oneAspect(fields)])).aspect('thingInfo');
  if (aspect === undefined) throw new Error('the aspect is there');
  return aspect;
}

describe('computeSearchWeight', () => {
  test('counts each value that occurs once, by its weight', async () => {
    const aspect = await thingInfo(`
      @Searchable = {"fieldType": "BOOLEAN", "weightsPerFieldValue": {"true": 0.5}} deprecated: boolean
      @Searchable = {"/*": {"weightsPerFieldValue": {"gold": 3}}} marks: array[string] = []
    `);

    expect(computeSearchWeight(aspect, { deprecated: false })).toBe(1);
    expect(computeSearchWeight(aspect, { deprecated: true })).toBe(0.5);
    expect(computeSearchWeight(aspect, { deprecated: true, marks: ['gold', 'gold', 'tin'] })).toBe(1.5);
    expect(computeSearchWeight(aspect, undefined)).toBe(1);
  });

  test('counts a score by its weight, and its default when it is absent', async () => {
    const aspect = await thingInfo(
      '@SearchScore = {"weight": 3, "defaultValue": 1, "modifier": "sqrt"} views: optional long',
    );

    expect(computeSearchWeight(aspect, { views: 9 })).toBe(2.5);
    expect(computeSearchWeight(aspect, {})).toBe(1);
    expect(computeSearchWeight(aspect, undefined)).toBe(1);
  });

  test('keeps the weight within its bounds, whatever the numbers', async () => {
    const ln = await thingInfo('@SearchScore = {"modifier": "ln"} views: long');
    const square = await thingInfo('@SearchScore = {"modifier": "square"} views: long');

    expect(computeSearchWeight(ln, { views: 0 })).toBe(0.001);
    expect(computeSearchWeight(ln, { views: -1 })).toBe(1);
    expect(computeSearchWeight(square, { views: 1e9 })).toBe(1_000);
  });

  test.each([
    ['@SearchScore = {} name: string', 'expected a number that is not in a list'],
    ['@SearchScore = {"/*": {}} all: array[int]', 'expected a number that is not in a list'],
    ['@SearchScore = {"modifier": "cube"} n: int', 'expected a modifier of none, log'],
    ['@SearchScore = {"weight": "2"} n: int', 'expected weight to be a number from 0 on'],
  ])('given %s, then it is rejected', async (fields, reason) => {
    await expect(thingInfo(fields)).rejects.toThrow(reason);
  });
});
