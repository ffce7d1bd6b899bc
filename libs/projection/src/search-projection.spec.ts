import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { EntryProjection, SearchDocument } from '@stratalog/domain';
import { loadModel } from '@stratalog/registry';
import { searchProjection } from './search-projection';

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,orders,PROD)';
const TAG = 'urn:li:tag:pii';

describe('The projection to search documents', () => {
  let projection: EntryProjection<SearchDocument>;
  beforeAll(async () => {
    projection = searchProjection(
      await loadModel({ folders: [join(import.meta.dirname, '../../../models')] }),
    );
  });
  const list = (urn: string) => projection.listTimeseriesAspects?.(urn);

  it('needs only those timeseries aspects that an entity type has', () => {
    expect([...(list(DATASET) ?? [])].sort()).toEqual([
      'datasetProfile',
      'datasetUsageStatistics',
      'operation',
    ]);
    expect(list('urn:li:assertion:a')).toEqual(['assertionRunEvent']);
    expect([TAG, 'urn:li:unknownType:a', 'no urn'].map(list)).toEqual([[], [], []]);
  });

  it('is affected by the values of these, and by every versioned aspect', () => {
    const value = { partition: 0, seq: 1, version: 1, isTimeseriesValue: true } as const;
    const affects = (urn: string, aspectName: string) => projection.affects({ ...value, urn, aspectName });
    expect(affects(DATASET, 'datasetProfile')).toBe(true);
    expect(affects(DATASET, 'assertionRunEvent')).toBe(false);
    expect(affects(TAG, 'datasetProfile')).toBe(false);
    const versioned = { partition: 0, seq: 1, version: 1, aspectName: 'tagProperties' };
    expect(projection.affects({ ...versioned, urn: TAG })).toBe(true);
  });
});
