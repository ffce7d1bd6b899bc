import { describe, expect, it } from '@jest/globals';
import { keepColumns, readColumns } from './read-columns';

const SCHEMA = {
  primaryKeys: ['id'],
  fields: [
    { fieldPath: 'id', nativeDataType: 'bigint', description: 'Number' },
    {
      fieldPath: '[version=2.0].[type=struct].address.[type=string].street',
      nativeDataType: 'text',
      nullable: true,
    },
    {
      fieldPath: 'email',
      globalTags: { tags: [{ tag: 'urn:li:tag:pii' }, { tag: 7 }] },
      description: 'from the source',
    },
    { nativeDataType: 'without a path' },
    'no record',
  ],
};
const EDITED = {
  editableSchemaFieldInfo: [
    {
      fieldPath: 'email',
      description: 'from a person',
      glossaryTerms: { terms: [{ urn: 'urn:li:glossaryTerm:Email' }] },
    },
  ],
};
const entity = {
  urn: 'urn:li:dataset:a',
  entityName: 'dataset',
  aspects: {
    schemaMetadata: { value: SCHEMA },
    editableSchemaMetadata: { value: EDITED },
  },
} as never;

describe('readColumns', () => {
  it('shows what people edited over what the connector wrote, and leaves out what is no column', () => {
    const columns = readColumns(entity);
    expect(columns.map(({ label }) => label)).toEqual(['id', 'address.street', 'email']);
    expect(columns[0]).toMatchObject({ isKey: true, type: 'bigint', depth: 0 });
    expect(columns[1]).toMatchObject({ isKey: false, isNullable: true, depth: 1, description: undefined });
    expect(columns[2]).toMatchObject({
      description: 'from a person',
      tags: ['urn:li:tag:pii'],
      terms: ['urn:li:glossaryTerm:Email'],
    });
  });

  it('keeps the columns of a chip, and those with the words of the filter', () => {
    const columns = readColumns(entity);
    const labels = (kept: typeof columns): readonly string[] => kept.map(({ label }) => label);
    expect(labels(keepColumns(columns, 'pii', ''))).toEqual(['email']);
    expect(labels(keepColumns(columns, 'key', ''))).toEqual(['id']);
    expect(labels(keepColumns(columns, 'undescribed', ''))).toEqual(['address.street']);
    expect(labels(keepColumns(columns, undefined, ' PERSON '))).toEqual(['email']);
    expect(keepColumns(columns, 'key', 'street')).toEqual([]);
  });
});
