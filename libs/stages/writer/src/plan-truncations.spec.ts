import { describe, expect, it } from '@jest/globals';
import type { NewChange } from '@stratalog/ports';
import { planTruncations } from './plan-truncations';

const DAY_MS = 86_400_000;
const NOW = 1_000 * DAY_MS;
const RULES = { stored: new Map(), fallback: { maxVersions: 100, maxAgeMs: 90 * DAY_MS } };
const ASPECT = { urn: 'urn:li:tag:old', aspectName: 'tagProperties' };

function change(version: number, begunMs: number): NewChange {
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
    aspectCreated: { time: begunMs, actor },
  };
}

describe('planTruncations', () => {
  const old = NOW - 91 * DAY_MS;

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
