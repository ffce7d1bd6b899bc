import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { NewChange } from '@stratalog/ports';
import {
  maxAgeOf,
  planTruncation,
  planTruncations,
  policyFor,
  ruleKey,
  type RetentionPolicy,
  type RetentionRules,
} from './plan-truncations';

const ASPECT = { urn: 'urn:li:tag:a', aspectName: 'status' };
const policies = fc.record(
  { maxVersions: fc.integer({ min: 1, max: 8 }), maxAgeMs: fc.integer({ min: 1, max: 50 }) },
  { requiredKeys: [] },
) as fc.Arbitrary<RetentionPolicy>;

function allUnder(fallback: RetentionPolicy): RetentionRules {
  return { stored: new Map(), fallback };
}

describe('maxAgeOf', () => {
  const age = (...keys: readonly (readonly [type: string, aspect: string])[]): number | undefined => {
    const stored = new Map(keys.map((key, at) => [ruleKey(...key), { maxAgeMs: at + 1 }]));
    return maxAgeOf({ stored, fallback: { maxAgeMs: 9 } }, 'dataset', 'operation');
  };

  it('is that of the policy for the aspect, of the type before any type', () => {
    expect(age(['*', 'operation'], ['dataset', 'operation'])).toBe(2);
    expect(age(['*', 'operation'])).toBe(1);
  });

  it('is none by a policy for any aspect, and by the default for versions', () => {
    expect(age(['dataset', '*'], ['*', '*'], ['dataset', 'datasetProfile'])).toBeUndefined();
    expect(age()).toBeUndefined();
  });
});

describe('policyFor', () => {
  const ORDER = [
    ['tag', 'status'],
    ['tag', '*'],
    ['*', 'status'],
    ['*', '*'],
  ] as const;

  it('selects the most exact stored policy, else the fallback', () => {
    fc.assert(
      fc.property(fc.subarray([0, 1, 2, 3]), (present) => {
        const stored = new Map(
          present.map((at) => [ruleKey(ORDER[at]?.[0] ?? '', ORDER[at]?.[1] ?? ''), { maxVersions: at + 1 }]),
        );
        stored.set(ruleKey('tag', 'other'), { maxVersions: 90 });
        stored.set(ruleKey('other', '*'), { maxVersions: 91 });
        const fallback = { maxVersions: 5 };
        const expected = present.length === 0 ? fallback : { maxVersions: Math.min(...present) + 1 };
        expect(policyFor({ stored, fallback }, 'tag', 'status')).toEqual(expected);
      }),
    );
  });
});

describe('planTruncation', () => {
  it('purges exactly the versions beyond every limit, and never the newest', () => {
    const ages = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 15 });
    fc.assert(
      fc.property(policies, ages, (policy, steps) => {
        const nowMs = 1_000;
        // Times rise with the versions, up to now at most.
        const span = steps.reduce((sum, step) => sum + step, 0);
        let time = nowMs - span;
        const times = steps.map((step) => (time += step));
        const newest = times.length;
        const truncation = planTruncation(allUnder(policy), { ...ASPECT, newest }, nowMs);
        const { maxVersions, maxAgeMs } = policy;
        times.forEach((createdMs, index) => {
          const version = index + 1;
          const isGone =
            truncation !== undefined && version <= truncation.upTo && createdMs < truncation.beforeMs;
          const isBeyond =
            (maxVersions !== undefined || maxAgeMs !== undefined) &&
            (maxVersions === undefined || version < newest - maxVersions + 1) &&
            (maxAgeMs === undefined || createdMs < nowMs - maxAgeMs);
          expect(isGone).toBe(isBeyond && version < newest);
        });
      }),
    );
  });

  it('purges nothing without a limit, or when the newest number alone rules it out', () => {
    const plan = (policy: RetentionPolicy, newest: number, nowMs: number) =>
      planTruncation(allUnder(policy), { ...ASPECT, newest }, nowMs);
    expect(plan({}, 1_000, 1)).toBeUndefined();
    expect(plan({ maxVersions: 100, maxAgeMs: 5 }, 100, 1_000)).toBeUndefined();
    expect(plan({ maxAgeMs: 5 }, 1, 1_000)).toBeUndefined();
  });
});

describe('planTruncations', () => {
  const DAY_MS = 86_400_000;
  const NOW = 1_000 * DAY_MS;
  const RULES = allUnder({ maxVersions: 100, maxAgeMs: 90 * DAY_MS });
  const old = NOW - 91 * DAY_MS;

  function change(version: number, createdMs: number): NewChange {
    const actor = 'urn:li:corpuser:jane';
    return {
      ...ASPECT,
      partition: 0,
      seq: version,
      kind: 'upsert',
      version,
      value: '{}',
      systemMetadata: {},
      created: { time: NOW, actor },
      aspectCreated: { time: createdMs, actor },
    };
  }

  it('names each aspect once, with the truncation of its last version', () => {
    expect(planTruncations([change(150, old), change(151, old)], RULES)).toEqual([
      { ...ASPECT, upTo: 51, beforeMs: NOW - 90 * DAY_MS },
    ]);
  });

  it('plans nothing while the version number shows that all versions stay', () => {
    expect(planTruncations([change(100, old)], RULES)).toEqual([]);
  });

  it('plans nothing while the aspect is younger than the retention time', () => {
    expect(planTruncations([change(5_000, NOW - 90 * DAY_MS)], RULES)).toEqual([]);
    expect(planTruncations([change(5_000, NOW - 90 * DAY_MS - 1)], RULES)).toHaveLength(1);
  });
});
