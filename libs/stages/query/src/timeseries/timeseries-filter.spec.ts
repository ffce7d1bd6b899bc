import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { TimeseriesField } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import type { TimeseriesFilter, TimeseriesTest } from '@stratalog/ports';
import { loadModel, type AspectType } from '@stratalog/registry';
import { filter as schema } from '../filters/read-criteria';
import { parseTimeseriesFilter } from './timeseries-filter';

let aspect: AspectType;

beforeAll(async () => {
  const folders = [join(import.meta.dirname, '../../../../../models')];
  const registry = await loadModel({ folders, vendor: 'linkedin', urnNamespace: 'li' });
  const found = registry.aspect('operation');
  if (found === undefined) throw new Error('the model has no operation');
  aspect = found;
});

function parse(filter: JsonObject): TimeseriesFilter | undefined {
  return parseTimeseriesFilter(aspect, schema.parse(filter), (path, reason) => {
    throw new RangeError(`${path} ${reason}`);
  });
}

const DATASET = 'urn:li:dataset:(urn:li:dataPlatform:hive,a,PROD)';
const oneOf = (...values: (string | number | bigint)[]): TimeseriesTest => ({ kind: 'one-of', values });
const end = (value: string | number | bigint, isIncluded: boolean) => ({ value, isIncluded });

describe('a timeseries filter', () => {
  it.each<[string, string, string, TimeseriesTest]>([
    ['operationType', 'EQUAL', 'INSERT', oneOf('INSERT')],
    ['operationType', 'IEQUAL', 'insert', { kind: 'equal', parts: ['insert'] }],
    ['operationType.keyword', 'EQUAL', 'UPDATE,INSERT', oneOf('UPDATE,INSERT', 'UPDATE', 'INSERT')],
    ['operationType', 'IN', 'UPDATE,INSERT', oneOf('UPDATE,INSERT')],
    ['operationType', 'CONTAIN', ' ser ', { kind: 'contain', parts: ['ser'] }],
    ['operationType', 'START_WITH', 'ins', { kind: 'start', parts: ['ins'] }],
    ['affectedDatasets', 'END_WITH', ':b', { kind: 'end', parts: [':b'] }],
    ['affectedDatasets', 'EQUAL', DATASET, oneOf(DATASET)],
    ['numAffectedRows', 'EQUAL', '9007199254740993', oneOf(9_007_199_254_740_993n)],
    ['numAffectedRows', 'EQUAL', '1, 2', oneOf(1n, 2n)],
    ['numAffectedRows', 'GREATER_THAN', '-1', { kind: 'range', low: end(-1n, false) }],
    ['numAffectedRows', 'LESS_THAN', '1e16', { kind: 'range', high: end(1e16, false) }],
    ['timestampMillis', 'GREATER_THAN_OR_EQUAL_TO', '17', { kind: 'range', low: end(17n, true) }],
    ['@timestamp', 'LESS_THAN_OR_EQUAL_TO', '16', { kind: 'range', high: end(16n, true) }],
    ['numAffectedRows', 'BETWEEN', '1', { kind: 'range', low: end(1n, true) }],
    ['runId', 'EXISTS', '', { kind: 'exists' }],
  ])('%s %s %s', (field, condition, value, test) => {
    for (const negated of [false, true])
      expect(parse({ or: [{ and: [{ field, condition, value, negated }] }] })).toEqual([
        [expect.objectContaining({ test, negated })],
      ]);
  });

  it('tests the absence of a field, and both ends of a range', () => {
    const field = 'numAffectedRows';
    expect(parse({ criteria: [{ field, condition: 'IS_NULL' }] })).toEqual([
      [expect.objectContaining({ test: { kind: 'exists' }, negated: true })],
    ]);
    expect(parse({ criteria: [{ field, condition: 'BETWEEN', values: ['1', '2'] }] })).toEqual([
      [expect.objectContaining({ test: { kind: 'range', low: end(1n, true), high: end(2n, true) } })],
    ]);
    expect(parse({ criteria: [{ field, values: ['1', '2'], value: '3' }] })).toEqual([
      [expect.objectContaining({ test: oneOf(1n, 2n) })],
    ]);
  });

  it.each<[string, Partial<TimeseriesField>]>([
    ['urn', { source: 'urn', kind: 'text' }],
    ['timestampMillis', { source: 'timestamp', kind: 'number' }],
    ['runId', { source: 'system-metadata', path: ['runId'], kind: 'text' }],
    ['affectedDatasets', { source: 'value', path: ['affectedDatasets'], kind: 'text', isList: true }],
    [
      'partitionSpec.partition',
      { path: ['partitionSpec', 'partition'], kind: 'text', isList: false, fallback: 'FULL_TABLE_SNAPSHOT' },
    ],
    ['lastUpdatedTimestamp', { path: ['lastUpdatedTimestamp'], kind: 'number' }],
  ])('finds the field %s', (field, expected) => {
    expect(parse({ criteria: [{ field, value: '1' }] })).toEqual([
      [expect.objectContaining({ field: expect.objectContaining(expected) as unknown })],
    ]);
  });

  it('has a list of criteria for each alternative; an empty one matches everything', () => {
    const yes = { field: 'operationType', value: 'INSERT' };
    expect(parse({ or: [{ and: [yes, yes] }, { and: [yes] }] })?.map(({ length }) => length)).toEqual([2, 1]);
    expect([parse({ or: [{ and: [yes] }, { and: [] }] }), parse({}), parse({ or: [] })]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it.each<[JsonObject, string]>([
    [{ field: 'numAffectedRows', value: 'many' }, 'filter/criteria/0/value "many" is not a number'],
    [{ field: 'operationTypes', value: 'x' }, 'did you mean operationType?'],
    [{ field: 'customProperties', value: 'x' }, 'holds no plain values to compare'],
    [{ field: 'operationType' }, 'filter/criteria/0/value is required'],
    [
      { field: 'operationType', values: Array.from({ length: 10_001 }, () => 'x') },
      'filter/criteria/0/values has more than 10000 elements',
    ],
  ])('rejects %j', (criterion, reason) => {
    expect(() => parse({ criteria: [criterion] })).toThrow(reason);
  });

  it('rejects more criteria than one statement takes', () => {
    const criteria = Array.from({ length: 101 }, () => ({ field: 'urn', value: 'x' }));
    expect(() => parse({ criteria })).toThrow('filter has more than 100 criteria');
  });
});
