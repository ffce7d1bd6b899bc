import type { JsonObject } from '@stratalog/model';
import { EACH, UNIT_SEPARATOR, type KeyedField } from './keyed-arrays';

/** When a patch is applied, and by whom. */
export interface PatchStamp {
  readonly time: number;
  readonly actor: string;
}

/** How an aspect is patched. */
export interface PatchTemplate {
  readonly keyed: readonly KeyedField[];
  /** Lineage between columns, which has keys of its own kind. */
  readonly lineage?: string;
  /** What is patched while nothing is stored; absent where required fields cannot be made up. */
  readonly beginning?: (stamp: PatchStamp) => JsonObject;
  /** Records of terms that a patch may begin: the stamp that they must have. */
  readonly stamped?: readonly (readonly string[])[];
}

const keyed = (name: string, ...keys: readonly string[]): KeyedField => ({ path: [name], keys });
const stampOf = ({ time, actor }: PatchStamp): JsonObject => ({ time, actor });
const changeStamps = (stamp: PatchStamp): JsonObject => ({
  created: stampOf(stamp),
  lastModified: stampOf(stamp),
});
const empty = (): JsonObject => ({});

const FIELD_INFO = 'editableSchemaFieldInfo';
const LINEAGE = 'fineGrainedLineages';

/**
 * The aspects that are patched by keys, as the original keys them. What an element is told by may change from release to release, so a
 * path may also stop above the last key and bring a whole element.
 *
 * **Source**: entity and aspect behaviour, section 10.6.
 */
export const PATCH_TEMPLATES: ReadonlyMap<string, PatchTemplate> = new Map<string, PatchTemplate>([
  ['datasetProperties', { keyed: [], beginning: empty }],
  [
    'editableSchemaMetadata',
    {
      keyed: [
        keyed(FIELD_INFO, 'fieldPath'),
        { path: [FIELD_INFO, EACH, 'globalTags', 'tags'], keys: ['tag'] },
        { path: [FIELD_INFO, EACH, 'glossaryTerms', 'terms'], keys: ['urn'] },
      ],
      beginning: (stamp) => ({ [FIELD_INFO]: [], ...changeStamps(stamp) }),
      stamped: [[FIELD_INFO, EACH, 'glossaryTerms']],
    },
  ],
  [
    'globalTags',
    { keyed: [keyed('tags', 'tag', `attribution${UNIT_SEPARATOR}source`)], beginning: () => ({ tags: [] }) },
  ],
  [
    'glossaryTerms',
    {
      keyed: [keyed('terms', 'urn', `attribution${UNIT_SEPARATOR}source`)],
      beginning: (stamp) => ({ terms: [], auditStamp: stampOf(stamp) }),
    },
  ],
  [
    'ownership',
    {
      keyed: [keyed('owners', 'owner', 'type', 'typeUrn')],
      beginning: (stamp) => ({ owners: [], lastModified: stampOf(stamp) }),
    },
  ],
  [
    'upstreamLineage',
    { keyed: [keyed('upstreams', 'dataset')], lineage: LINEAGE, beginning: () => ({ upstreams: [] }) },
  ],
  ['dataFlowInfo', { keyed: [], beginning: () => ({ name: '', customProperties: {} }) }],
  ['dataJobInfo', { keyed: [], beginning: () => ({ name: '', type: { string: '' }, customProperties: {} }) }],
  ['dataProductProperties', { keyed: [keyed('assets', 'destinationUrn')], beginning: empty }],
  [
    'dataJobInputOutput',
    {
      keyed: [
        ...['inputDatasetEdges', 'outputDatasetEdges', 'inputDatajobEdges'].map((name) =>
          keyed(name, 'destinationUrn'),
        ),
        ...[
          'inputDatasets',
          'outputDatasets',
          'inputDatajobs',
          'inputDatasetFields',
          'outputDatasetFields',
        ].map((name) => keyed(name)),
      ],
      lineage: LINEAGE,
      beginning: () => ({ inputDatasets: [], outputDatasets: [] }),
    },
  ],
  [
    'chartInfo',
    {
      keyed: [keyed('inputEdges', 'destinationUrn')],
      beginning: (stamp) => ({ title: '', description: '', lastModified: changeStamps(stamp) }),
    },
  ],
  [
    'dashboardInfo',
    {
      keyed: [
        ...['chartEdges', 'datasetEdges', 'dashboards'].map((name) => keyed(name, 'destinationUrn')),
        ...['charts', 'datasets'].map((name) => keyed(name)),
      ],
      beginning: (stamp) => ({ title: '', description: '', lastModified: changeStamps(stamp) }),
    },
  ],
  [
    'structuredProperties',
    {
      keyed: [keyed('properties', 'propertyUrn', `attribution${UNIT_SEPARATOR}source`)],
      beginning: () => ({ properties: [] }),
    },
  ],
  [
    'propertyDefinition',
    {
      keyed: [keyed('entityTypes'), keyed('allowedValues', 'value')],
      beginning: () => ({ qualifiedName: '', valueType: 'urn:li:dataType:datahub.string', entityTypes: [] }),
    },
  ],
  [
    'formInfo',
    {
      keyed: [
        keyed('prompts', 'id'),
        { path: ['actors', 'users'], keys: [] },
        { path: ['actors', 'groups'], keys: [] },
      ],
      beginning: () => ({ name: '', type: 'COMPLETION', prompts: [] }),
    },
  ],
  ['versionProperties', { keyed: [] }],
  ['siblings', { keyed: [keyed('siblings')], beginning: () => ({ siblings: [], primary: false }) }],
  ['domains', { keyed: [keyed('domains')], beginning: () => ({ domains: [] }) }],
  ['editableDatasetProperties', { keyed: [], beginning: changeStamps }],
  ['editableContainerProperties', { keyed: [], beginning: empty }],
  ['editableMlModelGroupProperties', { keyed: [], beginning: changeStamps }],
]);
