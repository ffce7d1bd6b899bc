import { describe, expect, it } from '@jest/globals';
import { mean, ndcg, reciprocalRank } from './metrics';

describe('the reciprocal rank', () => {
  it.each([
    [[3, 0, 0], 1],
    [[2, 3], 1],
    [[0, 1, 2], 1 / 3],
    [[1, 1, 1], 0],
    [[], 0],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 0.1],
    [[0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 0],
  ])('the reciprocal rank of %j is %d', (grades, expected) => {
    expect(reciprocalRank(grades)).toBeCloseTo(expected, 10);
  });
});

// Gains: 7, 3 and 1. Discounts of the first ranks: 1, log2(3) = 1.58496, log2(4) = 2, log2(5) = 2.32193.
describe('nDCG', () => {
  it('is 1 for the best order, and 0 without any answer', () => {
    expect(ndcg([3, 2, 1], [1, 2, 3])).toBe(1);
    expect(ndcg([0, 0], [3])).toBe(0);
    expect(ndcg([], [3, 3])).toBe(0);
    expect(ndcg([0], [])).toBe(0);
  });

  it('discounts a late answer: 7 / 2 of 7', () => {
    expect(ndcg([0, 0, 3], [3])).toBeCloseTo(0.5, 10);
  });

  it('weighs grades: 1 + 7 / 1.58496 of 7 + 1 / 1.58496', () => {
    expect(ndcg([1, 3], [3, 1])).toBeCloseTo(5.41651 / 7.63093, 5);
  });

  it('counts missing answers: 7 of 7 + 3 / 1.58496 + 1 / 2', () => {
    expect(ndcg([3], [3, 2, 1])).toBeCloseTo(7 / 9.39279, 5);
  });

  it('ignores what comes after ten hits, in the best order too', () => {
    const twelve = Array<number>(12).fill(3);
    expect(ndcg(twelve.slice(0, 10), twelve)).toBeCloseTo(1, 10);
    expect(ndcg([...Array<number>(10).fill(0), 3], [3])).toBe(0);
  });
});

it('takes the mean', () => {
  expect(mean([1, 0, 0.5])).toBe(0.5);
  expect(mean([])).toBe(0);
});
