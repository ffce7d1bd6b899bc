import { describe, expect, it } from '@jest/globals';
import { compareColumns } from './compare-columns';
import type { Column } from './read-columns';

function column(path: string, others: Partial<Column> = {}): Column {
  const facts = { type: 'text', description: undefined, isKey: false, isNullable: true, tags: [], terms: [] };
  return { path, label: path, depth: 0, ...facts, ...others };
}

describe('compareColumns', () => {
  it('says what came, what went and what is other', () => {
    const then = [column('id'), column('email', { tags: ['a', 'b'] }), column('fax')];
    const now = [
      column('id', { type: 'bigint', isKey: true }),
      column('email', { tags: ['b', 'a'] }),
      column('phone'),
    ];
    const { changes, removed } = compareColumns(now, then);
    expect([...changes]).toEqual([
      ['id', { kind: 'changed', what: ['type', 'key'] }],
      ['phone', { kind: 'new', what: [] }],
      ['fax', { kind: 'removed', what: [] }],
    ]);
    expect(removed).toEqual([column('fax')]);
  });
});
