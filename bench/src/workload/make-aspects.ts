import type { PlannedWrite } from './write-workload';

/** One aspect of an entity, with canonical JSON text. */
export interface PlannedAspect {
  readonly aspectName: string;
  readonly value: string;
}

const ASPECTS = ['datasetProperties', 'editableDatasetProperties', 'globalTags', 'ownership'] as const;

/** The number of aspects of each entity in a batch; their mean length is about 300 bytes. */
export const ASPECTS_PER_ENTITY = ASPECTS.length;

/**
 * Makes a connector's aspects of a dataset: its properties and three smaller ones. Each differs from version
 * to version.
 */
export function makeAspects({ version, value }: PlannedWrite): readonly PlannedAspect[] {
  const revision = String(version);
  const tags = [version % 40, 40 + (version % 30), 70 + (version % 20)];
  const owner = `urn:li:corpuser:user${String(version % 50)}`;
  return [
    { aspectName: 'datasetProperties', value },
    {
      aspectName: 'editableDatasetProperties',
      value: `{"description":"Reviewed in revision ${revision}: the rows of one day, without those that were taken back later"}`,
    },
    {
      aspectName: 'globalTags',
      value: `{"tags":[${tags.map((tag) => toTag(tag, revision)).join(',')}]}`,
    },
    {
      aspectName: 'ownership',
      value: `{"lastModified":{"actor":"${owner}","time":${String(1_700_000_000_000 + version)}},"owners":[{"owner":"${owner}","type":"TECHNICAL_OWNER"},{"owner":"urn:li:corpGroup:stewards","type":"DATA_STEWARD"}]}`,
    },
  ];
}

function toTag(tag: number, revision: string): string {
  return `{"context":"revision ${revision}","tag":"urn:li:tag:label_${String(tag)}"}`;
}

/**
 * Makes six aspects for each entity of the reading bench; with the key and the default aspects of a dataset
 * they are ten.
 */
export function makeSixAspects(write: PlannedWrite): readonly PlannedAspect[] {
  return [
    ...makeAspects(write),
    { aspectName: 'status', value: '{"removed":false}' },
    {
      aspectName: 'deprecation',
      value: '{"actor":"urn:li:corpuser:bench","deprecated":false,"note":"Kept for the yearly report"}',
    },
  ];
}
