import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '@stratalog/harness';
import { planRound, type RoundPlan } from './fault-plan';

const ROUNDS = 400;
const ROUND_MS = 1_000;

function explainPlans(seed: number): readonly RoundPlan[] {
  const random = new SeededRandom(seed);
  return Array.from({ length: ROUNDS }, () => planRound(random, ROUND_MS, false));
}

describe('the plan of a run', () => {
  it('is the same for the same seed, and another for another', () => {
    expect(explainPlans(7)).toEqual(explainPlans(7));
    expect(explainPlans(8)).not.toEqual(explainPlans(7));
  });

  it('kills every target in every phase', () => {
    const kills = new Set(explainPlans(7).map(({ moment, victim }) => `${victim} ${moment}`));
    expect([...kills].sort()).toEqual([
      'catalog index-build',
      'catalog start-up',
      'catalog under-load',
      'catalog-and-postgres index-build',
      'catalog-and-postgres start-up',
      'catalog-and-postgres under-load',
      'postgres under-load',
      'session under-load',
    ]);
  });

  it('keeps to the length of a round', () => {
    for (const { loadMs } of explainPlans(7)) {
      expect(loadMs).toBeGreaterThanOrEqual(ROUND_MS / 10);
      expect(loadMs).toBeLessThanOrEqual(ROUND_MS);
    }
  });
});
