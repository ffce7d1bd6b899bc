import type { Proposal } from '@stratalog/domain';
import type { Dataset } from './dataset-generator';

const ACTOR = 'urn:li:corpuser:bench';

/** Makes a connector's proposals for a dataset: properties, and tags and an owner where it has them. */
export function makeProposals(dataset: Dataset): readonly Proposal[] {
  const aspects: [string, object][] = [
    [
      'datasetProperties',
      { description: dataset.words.join(' '), name: dataset.name.split('.')[1], qualifiedName: dataset.name },
    ],
  ];
  if (dataset.tags.length > 0) {
    aspects.push(['globalTags', { tags: dataset.tags.map((tag) => ({ tag: `urn:li:tag:${tag}` })) }]);
  }
  if (dataset.owner !== undefined) {
    aspects.push([
      'ownership',
      { owners: [{ owner: `urn:li:corpuser:${dataset.owner}`, type: 'TECHNICAL_OWNER' }] },
    ]);
  }
  return aspects.map(([aspectName, value]) => ({
    entityType: 'dataset',
    urn: dataset.urn,
    aspectName,
    changeType: 'UPSERT',
    value: JSON.stringify(value),
    systemMetadata: { lastObserved: 1_700_000_000_000, runId: 'bench' },
    actor: ACTOR,
  }));
}
