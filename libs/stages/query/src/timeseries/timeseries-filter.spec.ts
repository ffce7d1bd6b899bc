import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/model';
import { loadModel, type AspectType } from '@stratalog/registry';
import { parseTimeseriesFilter } from './timeseries-filter';

let aspect: AspectType;

beforeAll(async () => {
  const folders = [join(import.meta.dirname, '../../../../../models')];
  const registry = await loadModel({ folders, vendor: 'linkedin', urnNamespace: 'li' });
  const found = registry.aspect('operation');
  if (found === undefined) throw new Error('the model has no operation');
  aspect = found;
});

const members: JsonObject = {
  timestampMillis: 1_700_000_000_000,
  operationType: 'INSERT',
  numAffectedRows: 9_007_199_254_740_993n,
  affectedDatasets: ['urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)', 'urn:li:dataset:b'],
  partitionSpec: { partition: 'eu, west' },
};
const TIMESERIES_VALUE = { urn: 'urn:li:dataset:x', members, systemMetadata: { runId: 'Run-1' } };

function passes(...and: JsonObject[]): boolean {
  const filter = parseTimeseriesFilter(aspect, { or: [{ and }] }, (path, reason) => {
    throw new RangeError(`${path} ${reason}`);
  });
  return filter?.(TIMESERIES_VALUE) ?? true;
}

describe('a timeseries filter', () => {
  it.each<[string, string, string, boolean]>([
    ['operationType', 'EQUAL', 'INSERT', true],
    ['operationType', 'EQUAL', 'insert', false],
    ['operationType', 'IEQUAL', 'insert', true],
    ['operationType.keyword', 'EQUAL', 'UPDATE,INSERT', true],
    ['operationType', 'IN', 'UPDATE,INSERT', false],
    ['operationType', 'CONTAIN', ' ser ', true],
    ['operationType', 'START_WITH', 'ins', true],
    ['operationType', 'END_WITH', 'ins', false],
    ['partitionSpec.partition', 'EQUAL', 'eu, west', true],
    ['affectedDatasets', 'EQUAL', 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)', true],
    ['affectedDatasets', 'END_WITH', ':b', true],
    ['numAffectedRows', 'EQUAL', '9007199254740993', true],
    ['numAffectedRows', 'EQUAL', '9007199254740992', false],
    ['numAffectedRows', 'GREATER_THAN', '9007199254740992', true],
    ['numAffectedRows', 'LESS_THAN', '1e16', true],
    ['timestampMillis', 'GREATER_THAN_OR_EQUAL_TO', '1700000000000', true],
    ['@timestamp', 'LESS_THAN_OR_EQUAL_TO', '1699999999999', false],
    ['urn', 'EQUAL', 'urn:li:dataset:x', true],
    ['runId', 'EQUAL', 'Run-1', true],
    ['messageId', 'EQUAL', '', false],
  ])('%s %s %s: %j', (field, condition, value, holds) => {
    expect(passes({ field, condition, value })).toBe(holds);
    expect(passes({ field, condition, value, negated: true })).toBe(!holds);
    expect(passes({ field, condition, values: [value], value: 'no' })).toBe(
      holds && !value.includes('UPDATE,'),
    );
  });

  it('tests whether there is a value, and whether one lies in a range', () => {
    expect(passes({ field: 'messageId', condition: 'IS_NULL' })).toBe(true);
    expect(passes({ field: 'operationType', condition: 'EXISTS' })).toBe(true);
    const between = (...values: string[]) =>
      passes({ field: 'numAffectedRows', condition: 'BETWEEN', values });
    expect([between('1', '9e15'), between('1', '1e16'), between('1'), between('1e17')]).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });

  it('holds when one of its lists holds completely', () => {
    const yes = { field: 'operationType', value: 'INSERT' };
    const no = { field: 'operationType', value: 'DROP' };
    expect([passes(yes, no), passes(yes, yes), passes()]).toEqual([false, true, true]);
    const either = parseTimeseriesFilter(aspect, { or: [{ and: [no] }, { and: [yes] }] }, () => {
      throw new RangeError();
    });
    expect(either?.(TIMESERIES_VALUE)).toBe(true);
  });
});
