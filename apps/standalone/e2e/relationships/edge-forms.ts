import type { JsonOutputObject } from '@stratalog/json';

export const dataset = (name: string): string => `urn:li:dataset:(urn:li:dataPlatform:hive,${name},PROD)`;
const field = (table: string, name: string): string => `urn:li:schemaField:(${dataset(table)},${name})`;
export const tag = (name: string): string => `urn:li:tag:${name}`;
export const user = (name: string): string => `urn:li:corpuser:${name}`;
export const stamp = (time: number, name: string) => ({ time, actor: user(name) });
export const tags = (...names: readonly string[]) => ({ tags: names.map((name) => ({ tag: tag(name) })) });

export const UNKNOWN_STAMP = stamp(0, 'unknown');

/** The edges of each form of annotation in the shipped model. */
export const FORMS: readonly {
  readonly form: string;
  readonly urn: string;
  readonly aspectName: string;
  readonly value: JsonOutputObject;
  readonly drawn: readonly string[];
}[] = [
  {
    form: 'a urn',
    urn: dataset('plain'),
    aspectName: 'container',
    value: { container: 'urn:li:container:c' },
    drawn: ['IsPartOf urn:li:container:c'],
  },
  {
    form: 'a urn of the key',
    urn: 'urn:li:dataJob:(urn:li:dataFlow:(airflow,nightly,prod),load)',
    aspectName: 'status',
    value: { removed: false },
    drawn: ['IsPartOf urn:li:dataFlow:(airflow,nightly,prod)'],
  },
  {
    form: 'a list of urns',
    urn: dataset('list'),
    aspectName: 'domains',
    value: { domains: ['urn:li:domain:b', 'urn:li:domain:a', 'urn:li:domain:b'] },
    drawn: ['AssociatedWith urn:li:domain:a', 'AssociatedWith urn:li:domain:b'],
  },
  {
    form: 'records in a list, each with two',
    urn: dataset('records'),
    aspectName: 'ownership',
    value: {
      owners: [{ owner: user('ada'), type: 'DATAOWNER', typeUrn: 'urn:li:ownershipType:o' }],
      lastModified: UNKNOWN_STAMP,
    },
    drawn: [`OwnedBy ${user('ada')}`, 'ownershipType urn:li:ownershipType:o'],
  },
  {
    form: 'members of unions in a list',
    urn: 'urn:li:chart:(looker,unions)',
    aspectName: 'chartInfo',
    value: {
      title: 't',
      description: 'd',
      inputs: [{ string: dataset('plain') }],
      lastModified: { created: UNKNOWN_STAMP, lastModified: UNKNOWN_STAMP },
    },
    drawn: [`Consumes ${dataset('plain')}`],
  },
  {
    form: 'an optional record, and a list in it',
    urn: 'urn:li:assertion:nested',
    aspectName: 'assertionInfo',
    value: {
      type: 'DATASET',
      datasetAssertion: {
        dataset: dataset('plain'),
        scope: 'DATASET_COLUMN',
        fields: [field('plain', 'a'), field('plain', 'b')],
        operator: 'BETWEEN',
      },
    },
    drawn: [
      `Asserts ${dataset('plain')}`,
      `Asserts ${field('plain', 'a')}`,
      `Asserts ${field('plain', 'b')}`,
    ],
  },
  {
    form: 'an outer annotation that takes the place of the nested one',
    urn: dataset('outer'),
    aspectName: 'editableSchemaMetadata',
    value: { editableSchemaFieldInfo: [{ fieldPath: 'a', globalTags: tags('x', 'y') }] },
    drawn: [`EditableSchemaFieldTaggedWith ${tag('x')}`, `EditableSchemaFieldTaggedWith ${tag('y')}`],
  },
  {
    form: 'lists in records in a list',
    urn: dataset('deep'),
    aspectName: 'schemaMetadata',
    value: {
      schemaName: 's',
      platform: 'urn:li:dataPlatform:hive',
      version: 0,
      hash: '',
      platformSchema: { 'com.linkedin.schema.OtherSchema': { rawSchema: '' } },
      fields: [
        {
          fieldPath: 'a',
          nativeDataType: 'text',
          type: { type: { 'com.linkedin.schema.StringType': {} } },
          globalTags: tags('deep'),
        },
      ],
      foreignKeys: [
        {
          name: 'fk',
          sourceFields: [field('deep', 'a')],
          foreignFields: [field('plain', 'a'), field('plain', 'b')],
          foreignDataset: dataset('plain'),
        },
      ],
    },
    drawn: [
      `ForeignKeyTo ${field('plain', 'a')}`,
      `ForeignKeyTo ${field('plain', 'b')}`,
      `ForeignKeyToDataset ${dataset('plain')}`,
      `SchemaFieldTaggedWith ${tag('deep')}`,
    ],
  },
];
