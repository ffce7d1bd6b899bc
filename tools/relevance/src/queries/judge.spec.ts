import { describe, expect, it } from '@jest/globals';
import type { Traits } from '../catalog/catalog-entity';
import { judge, type JudgedEntity } from './judge';
import type { JudgedQuery } from './read-queries';

const entity = (urn: string, traits: Partial<Traits> = {}, entityType = 'dataset'): JudgedEntity => ({
  urn,
  entityType,
  traits: { name: urn, words: [], standing: 'original', columns: [], tags: [], terms: [], ...traits },
});

const grades = (
  rule: Partial<JudgedQuery>,
  ...entities: readonly JudgedEntity[]
): Readonly<Record<string, number>> =>
  Object.fromEntries(judge({ kind: 'exact-name', ask: '', in: 'dataset', ...rule }, entities));

describe('a judgement', () => {
  it('a judgement by words: the thing itself, then reports, then parts, copies and what is about more', () => {
    const words = ['customer', 'order'];
    const found = grades(
      { words: 'customer orders' },
      entity('table', { words }),
      entity('qa', { words, standing: 'environment' }),
      entity('report', { words, standing: 'report' }),
      entity('emea', { words, standing: 'part' }),
      entity('backup', { words, standing: 'copy' }),
      entity('old', { words, standing: 'deprecated' }),
      entity('items', { words: [...words, 'item'] }),
      entity('items-backup', { words: [...words, 'item'], standing: 'copy' }),
      entity('customers', { words: ['customer'] }),
      entity('chart', { words }, 'chart'),
    );
    expect(found).toEqual({ table: 3, qa: 2, report: 2, emea: 1, backup: 1, old: 1, items: 1 });
  });

  it('a judgement by name or path: the one of that name, and good the same in another environment', () => {
    const found = [
      entity('exact', { name: 'fct_orders', path: 'db.fct_orders' }),
      entity('qa', { name: 'fct_orders', path: 'db_qa.fct_orders', standing: 'environment' }),
      entity('backup', { name: 'fct_orders_backup', standing: 'copy' }),
    ];
    expect(grades({ name: 'fct_orders' }, ...found)).toEqual({ exact: 3, qa: 2 });
    expect(grades({ path: 'db.fct_orders' }, ...found)).toEqual({ exact: 3 });
  });

  it('a judgement by column: originals, then whatever else has it', () => {
    const columns = ['sku'];
    const found = grades(
      { column: 'sku' },
      entity('table', { columns }),
      entity('backup', { columns, standing: 'copy' }),
      entity('old', { columns, standing: 'deprecated' }),
      entity('other', { columns: ['skus'] }),
    );
    expect(found).toEqual({ table: 3, backup: 2, old: 1 });
  });

  it('a judgement by tag: what carries it, and over all types first the tag itself', () => {
    const tagged = entity('table', { tags: ['pii'], words: ['customer'] });
    const tag = entity('tag', { name: 'pii' }, 'tag');
    expect(grades({ tag: 'pii' }, tagged, tag, entity('other'))).toEqual({ table: 3 });
    expect(grades({ tag: 'pii', in: 'all' }, tagged, tag)).toEqual({ table: 2, tag: 3 });
  });

  it('a judgement by tag and words: both together', () => {
    const found = grades(
      { tag: 'pii', words: 'customers' },
      entity('both', { tags: ['pii'], words: ['customer'] }),
      entity('more', { tags: ['pii'], words: ['customer', 'address'] }),
      entity('untagged', { words: ['customer'] }),
      entity('other', { tags: ['pii'], words: ['employee'] }),
    );
    expect(found).toEqual({ both: 3, more: 2 });
  });

  it('a judgement by concept: the originals, which carry its description', () => {
    const words = ['tax', 'rate'];
    const found = grades(
      { answers: { 'tax rates': 3 } },
      entity('table', { words }),
      entity('copy', { words, standing: 'copy' }),
      entity('other', { words: ['exchange', 'rate'] }),
    );
    expect(found).toEqual({ table: 3 });
  });
});
