import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonValue } from '@stratalog/json';
import type { EntityRegistry } from '../model/entity-registry';
import { loadModel } from '../model/load-model';
import { reportUnknownFields } from './report-unknown-fields';

const MANY = 20_000;

describe('noting unknown fields', () => {
  let registry: EntityRegistry;
  beforeAll(async () => {
    registry = await loadModel({ folders: [join(import.meta.dirname, '../../../../models')] });
  });

  it.each<[string, string, JsonValue]>([
    [
      'members',
      'datasetProperties',
      Object.fromEntries(Array.from({ length: MANY }, (_, at) => [`f${String(at)}`, 1])),
    ],
    ['elements', 'ownership', { owners: Array.from({ length: MANY }, () => ({ typo: 1 })) }],
  ])('takes small steps for many %s', (_, aspectName, value) => {
    const record = registry.aspect(aspectName)?.record;
    if (record === undefined) throw new Error(`no ${aspectName}`);
    let reported = 0;
    let inStep = 0;
    let most = 0;
    const report = (): void => {
      reported++;
      most = Math.max(most, ++inStep);
    };
    const steps = reportUnknownFields(record, value, report);
    while (steps.next().done !== true) inStep = 0;
    expect(reported).toBe(MANY);
    expect(most).toBeLessThanOrEqual(256);
  });
});
