import { describe, expect, it } from '@jest/globals';
import type { JsonObject } from '@stratalog/json';
import { filter as schema } from '../filters/read-criteria';
import { takeDegrees, toDegreeValue } from './filter-degrees';

const reject = (path: string, reason: string): never => {
  throw new Error(`${path} ${reason}`);
};
const take = (filter: JsonObject) => takeDegrees(schema.parse(filter), reject);
const other = { field: 'origin', value: 'PROD' };
const degree = (members: JsonObject): JsonObject => ({ field: 'degree', ...members });

describe('takeDegrees', () => {
  it.each([
    ['an empty filter', {}],
    ['a filter without degrees', { or: [{ and: [other] }, { and: [] }] }],
    ['a list of criteria without degrees', { criteria: [other] }],
  ])('leaves %s as it is', (_, filter) => {
    expect(take(filter)).toEqual({ filter: schema.parse(filter) });
  });

  it('takes the criteria on degrees out of each list', () => {
    const rest = expect.objectContaining({ field: 'origin' }) as unknown;
    expect(
      take({
        or: [{ and: [degree({ values: ['2', 1] }), other] }, { and: [degree({ values: ['1', '2'] })] }],
      }),
    ).toEqual({ filter: [[rest], []], degrees: ['1', '2'] });
    expect(take({ criteria: [degree({ value: '3+' }), other] })).toEqual({
      filter: [[rest]],
      degrees: ['3+'],
    });
  });

  it('selects what all criteria of a list select', () => {
    const filter = {
      or: [{ and: [degree({ values: ['1', '2'] }), degree({ values: ['2', '3+'], condition: 'IN' })] }],
    };
    expect(take(filter).degrees).toEqual(['2']);
  });

  it.each([
    [[degree({ value: '4' })], 'filter/or/0/and/0/values has a value that is none of 1, 2, 3+'],
    [[other, degree({ value: '1', condition: 'CONTAIN' })], 'filter/or/0/and/1/condition is not EQUAL or IN'],
    [[degree({ value: '1', negated: true })], 'filter/or/0/and/0/negated is not possible with degree'],
    [[degree({})], 'filter/or/0/and/0/values has a value that is none of 1, 2, 3+'],
  ])('rejects %j', (and, reason) => {
    expect(() => take({ or: [{ and }] })).toThrow(reason);
  });

  it('rejects lists that do not agree', () => {
    expect(() => take({ or: [{ and: [degree({ value: '1' })] }, { and: [other] }] })).toThrow(
      /must select the same/,
    );
  });
});

describe('toDegreeValue', () => {
  it('puts all degrees from 3 on together', () => {
    expect([1, 2, 3, 4, 99].map(toDegreeValue)).toEqual(['1', '2', '3+', '3+', '3+']);
  });
});
