import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Proposal } from '@stratalog/domain';
import { isJsonObject, parseJson, stringifyJson, type JsonObject } from '@stratalog/json';
import { checkProposal, loadModel, type EntityRegistry } from '@stratalog/registry';
import { demoValues } from './demo-values';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 27, 9);

let registry: EntityRegistry;
let samples: Proposal[];

beforeAll(async () => {
  registry = await loadModel({ folders: [join(import.meta.dirname, '../../../models')] });
  samples = ['catalog.jsonl', 'quality.jsonl'].flatMap((name) =>
    readFileSync(join(import.meta.dirname, '../demo', name), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line): Proposal => {
        const { entityType, entityUrn, aspectName, aspect } = parseJson(line) as JsonObject;
        const value = isJsonObject(aspect) ? (aspect.json ?? null) : null;
        return {
          entityType: entityType as string,
          urn: entityUrn as string,
          aspectName: aspectName as string,
          changeType: 'UPSERT',
          value: stringifyJson(value),
          actor: 'urn:li:corpuser:demo',
        };
      }),
  );
});

describe('the timeseries values of the sample catalog', () => {
  it('fit the model, and cover the last 30 days for each kind', () => {
    const values = demoValues(samples, NOW_MS);
    const days = new Map<string, Set<number>>();
    for (const proposal of values) {
      expect(checkProposal(registry, proposal)).not.toHaveProperty('rejection');
      const { timestampMillis } = parseJson(proposal.value ?? '') as { timestampMillis: number };
      const known = days.get(proposal.aspectName) ?? new Set();
      days.set(proposal.aspectName, known.add(Math.floor(timestampMillis / DAY_MS)));
    }
    const kinds = ['assertionRunEvent', 'datasetProfile', 'datasetUsageStatistics', 'operation'];
    expect([...days.keys()].sort()).toEqual(kinds);
    const today = Math.floor(NOW_MS / DAY_MS);
    for (const name of kinds)
      expect([...(days.get(name) ?? [])].sort()).toEqual(
        Array.from({ length: 30 }, (_, at) => today - 29 + at),
      );
  });

  it('lie in the past, at any hour', () => {
    for (const hour of [0, 4, 5, 23]) {
      const nowMs = Math.floor(NOW_MS / DAY_MS) * DAY_MS + hour * 3_600_000;
      const times = demoValues(samples, nowMs).map(
        ({ value = '' }) => (parseJson(value) as { timestampMillis: number }).timestampMillis,
      );
      expect(Math.max(...times)).toBeLessThanOrEqual(nowMs);
    }
  });

  it('are the same values later on the same day', () => {
    expect(demoValues(samples, NOW_MS + 3_600_000)).toEqual(demoValues(samples, NOW_MS));
  });
});
