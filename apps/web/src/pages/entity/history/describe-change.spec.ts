import { describe, expect, it } from '@jest/globals';
import { changesOfColumn, groupDifferences, summarize } from './describe-change';

const SCHEMA = [
  { path: '/fields/a~1b', kind: 'added', newValue: { fieldPath: 'a/b' } },
  {
    path: '/fields/orders/nativeDataType',
    kind: 'changed',
    oldValue: 'NUMBER(8,0)',
    newValue: 'NUMBER(10,0)',
  },
  { path: '/fields/orders/description', kind: 'added', newValue: 'Orders' },
  { path: '/hash', kind: 'changed', oldValue: '1', newValue: '2' },
] as const;

const change = (aspectName: string, kind: string, differences: readonly unknown[], time = 5) =>
  ({ time, actor: 'urn:li:corpuser:a', aspectName, version: 2, kind, differences }) as never;

describe('groupDifferences', () => {
  it('gathers what happened to each column, owner or field', () => {
    expect(groupDifferences(SCHEMA as never)).toEqual([
      { thing: 'a/b', kind: 'added', parts: [{ label: '', new: { fieldPath: 'a/b' } }] },
      {
        thing: 'orders',
        kind: 'changed',
        parts: [
          { label: 'Native data type', old: 'NUMBER(8,0)', new: 'NUMBER(10,0)' },
          { label: 'Description', new: 'Orders' },
        ],
      },
      { thing: 'hash', kind: 'changed', parts: [{ label: '', old: '1', new: '2' }] },
    ]);
    const owner = { path: '/owners/urn:li:corpuser:a/DATAOWNER', kind: 'removed', oldValue: {} };
    expect(groupDifferences([owner] as never)).toEqual([
      { thing: 'urn:li:corpuser:a', kind: 'removed', parts: [{ label: 'DATAOWNER', old: {} }] },
    ]);
  });
});

describe('summarize', () => {
  it('says in one sentence what a change did', () => {
    expect(summarize(change('schemaMetadata', 'CHANGED', SCHEMA))).toBe(
      'Schema metadata: column added, column changed (2), hash changed',
    );
    expect(summarize(change('globalTags', 'CREATED', []))).toBe('Global tags written for the first time');
    expect(summarize(change('globalTags', 'DELETED', []))).toBe('Global tags deleted');
    expect(summarize(change('globalTags', 'CHANGED', []))).toBe('Global tags changed');
  });
});

describe('changesOfColumn', () => {
  it('lists what happened to one column', () => {
    const first = [{ path: '', kind: 'added', newValue: { fields: [{ fieldPath: 'orders' }] } }];
    const changes = [
      change('schemaMetadata', 'CHANGED', SCHEMA),
      change('schemaMetadata', 'CREATED', first, 1),
    ];
    expect(changesOfColumn(changes, 'orders')).toEqual([
      { text: 'Native data type changed', atMs: 5 },
      { text: 'Description changed', atMs: 5 },
      { text: 'First seen', atMs: 1 },
    ]);
    expect(changesOfColumn(changes, 'a/b')).toEqual([{ text: 'Added', atMs: 5 }]);
  });
});
