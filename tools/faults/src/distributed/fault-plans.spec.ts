import { describe, expect, it } from '@jest/globals';
import { SeededRandom } from '@stratalog/harness';
import { FAULTS, FaultPlans, type Fault } from './fault-plans';

const take = (plans: FaultPlans, count: number) => Array.from({ length: count }, () => plans.next());
const explainPlans = (seed: number, faults: readonly Fault[] = FAULTS): FaultPlans =>
  new FaultPlans(new SeededRandom(seed), faults, 2_000);

describe('the plans of a run', () => {
  it('hold each fault once before one comes again', () => {
    const plans = explainPlans(7);
    for (const cycle of [1, 2, 3]) {
      const faults = take(plans, FAULTS.length).map(({ fault }) => fault);
      expect([cycle, new Set(faults)]).toEqual([cycle, new Set(FAULTS)]);
    }
  });

  it('are those of their seed', () => {
    expect(take(explainPlans(3), 40)).toEqual(take(explainPlans(3), 40));
    expect(take(explainPlans(3), 40)).not.toEqual(take(explainPlans(4), 40));
  });

  it('keep to the times and the faults that are asked for', () => {
    for (const { fault, loadMs, downMs, instance } of take(
      explainPlans(5, ['kill-kafka', 'kill-writer']),
      50,
    )) {
      expect(['kill-kafka', 'kill-writer']).toContain(fault);
      expect(loadMs >= 200 && loadMs <= 2_000).toBe(true);
      expect(downMs >= 1 && downMs < 6_000).toBe(true);
      expect(instance >= 0 && instance < 1).toBe(true);
    }
  });
});
