import { describe, expect, it } from '@jest/globals';
import { keepsUp, type Step } from './keeps-up';

function step(agesMs: readonly number[], rate = 1_000): Step {
  return { pacedRate: 1_000, seconds: 10, agesMs, figures: { rate } as Step['figures'] };
}

describe('keepsUp', () => {
  it('accepts an index that stays a little behind', () => {
    expect(keepsUp(step([50, 80, 60, 90, 70, 60, 80, 90, 50]))).toBe(true);
  });

  it('rejects one that was ever more than 5 s behind', () => {
    expect(keepsUp(step([50, 5_200, 60, 50, 50, 50]))).toBe(false);
  });

  it('rejects one that falls further and further behind, though it is still within 5 s', () => {
    expect(keepsUp(step([300, 600, 900, 1_200, 1_500, 1_800, 2_100, 2_400, 2_700]))).toBe(false);
  });

  it('rejects a step whose writes did not reach the rate', () => {
    expect(keepsUp(step([50, 50, 50], 900))).toBe(false);
  });
});
