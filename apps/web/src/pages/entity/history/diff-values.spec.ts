import { describe, expect, it } from '@jest/globals';
import { diffValues } from './diff-values';

describe('diffValues', () => {
  it('names the elements of lists by their keys', () => {
    const before = { fields: [{ fieldPath: 'a', type: 'x' }, { fieldPath: 'b/c' }], hash: '' };
    const after = { fields: [{ fieldPath: 'd' }, { fieldPath: 'a', type: 'y' }], hash: '' };
    expect(diffValues(before, after)).toEqual([
      { path: '/fields/a/type', kind: 'changed', oldValue: 'x', newValue: 'y' },
      { path: '/fields/b~1c', kind: 'removed', oldValue: { fieldPath: 'b/c' } },
      { path: '/fields/d', kind: 'added', newValue: { fieldPath: 'd' } },
    ]);
  });

  it('compares other lists by their places, and values of different kinds as a whole', () => {
    expect(diffValues(['a', 'b'], ['a', 'c', 'd'])).toEqual([
      { path: '/1', kind: 'changed', oldValue: 'b', newValue: 'c' },
      { path: '/2', kind: 'added', newValue: 'd' },
    ]);
    expect(diffValues({ a: [1] }, { a: { 0: 1 } })).toEqual([
      { path: '/a', kind: 'changed', oldValue: [1], newValue: { 0: 1 } },
    ]);
    expect(diffValues(undefined, null)).toEqual([{ path: '', kind: 'added', newValue: null }]);
    expect(diffValues({ a: 1n }, { a: 1n })).toEqual([]);
  });
});
