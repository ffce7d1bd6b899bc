import type { Proposal } from '@stratalog/domain';
import type { Dataset } from '../workload/dataset-generator';

/** Makes a connector's proposal for the columns of a dataset. */
export function makeSchemaProposal({ urn, platform, name, words }: Dataset, columns: number): Proposal {
  const fields = Array.from({ length: columns }, (_, at) => ({
    fieldPath: `${words[at % words.length] ?? 'column'}_${String(at)}`,
    nullable: at % 3 === 0,
    description: words.slice(0, 8).join(' '),
    nativeDataType: 'varchar(255)',
    type: { type: { 'com.linkedin.pegasus2avro.schema.StringType': {} } },
    recursive: false,
    isPartOfKey: at === 0,
  }));
  const value = {
    schemaName: name,
    platform: `urn:li:dataPlatform:${platform}`,
    version: 0,
    hash: '',
    platformSchema: { 'com.linkedin.pegasus2avro.schema.MySqlDDL': { tableSchema: '' } },
    fields,
  };
  return {
    entityType: 'dataset',
    urn,
    aspectName: 'schemaMetadata',
    changeType: 'UPSERT',
    value: JSON.stringify(value),
    systemMetadata: {},
    actor: 'urn:li:corpuser:bench',
  };
}
