import type { AuditStamp } from '@stratalog/domain';
import type { JsonObject } from '@stratalog/json';
import { EACH, UNIT_SEPARATOR, type KeyedField } from './keyed-arrays';

/** Rules for patching one aspect. */
export interface PatchTemplate {
  readonly keyed: readonly KeyedField[];
  /** Name of the field with lineage between columns, which has keys of its own kind. */
  readonly lineage?: string;
  /** Builds the value to patch when nothing is stored; absent when required fields have no default. */
  readonly initialValue?: (stamp: AuditStamp) => JsonObject;
  /** Paths of records that a patch may create and that need a stamp. */
  readonly stamped?: readonly (readonly string[])[];
}

const keyed = (name: string, ...keys: readonly string[]): KeyedField => ({ path: [name], keys });
const toStamp = ({ time, actor }: AuditStamp): JsonObject => ({ time, actor });
const changeStamps = (stamp: AuditStamp): JsonObject => ({
  created: toStamp(stamp),
  lastModified: toStamp(stamp),
});
const empty = (): JsonObject => ({});

const FIELD_INFO = 'editableSchemaFieldInfo';
const LINEAGE = 'fineGrainedLineages';

/**
 * Templates of the aspects that patches address by key, with the keys of the original. Keys change between releases,
 * so a path may stop above the last key and carry a whole element.
 *
 * **Source**: `docs/what/proposal.md`, Patches.
 */
export const PATCH_TEMPLATES: ReadonlyMap<string, PatchTemplate> = new Map<string, PatchTemplate>([
  ['datasetProperties', { keyed: [], initialValue: empty }],
  [
    'editableSchemaMetadata',
    {
      keyed: [
        keyed(FIELD_INFO, 'fieldPath'),
        { path: [FIELD_INFO, EACH, 'globalTags', 'tags'], keys: ['tag'] },
        { path: [FIELD_INFO, EACH, 'glossaryTerms', 'terms'], keys: ['urn'] },
      ],
      initialValue: (stamp) => ({ [FIELD_INFO]: [], ...changeStamps(stamp) }),
      stamped: [[FIELD_INFO, EACH, 'glossaryTerms']],
    },
  ],
  [
    'globalTags',
    {
      keyed: [keyed('tags', 'tag', `attribution${UNIT_SEPARATOR}source`)],
      initialValue: () => ({ tags: [] }),
    },
  ],
  [
    'glossaryTerms',
    {
      keyed: [keyed('terms', 'urn', `attribution${UNIT_SEPARATOR}source`)],
      initialValue: (stamp) => ({ terms: [], auditStamp: toStamp(stamp) }),
    },
  ],
  [
    'ownership',
    {
      keyed: [keyed('owners', 'owner', 'type', 'typeUrn')],
      initialValue: (stamp) => ({ owners: [], lastModified: toStamp(stamp) }),
    },
  ],
  [
    'upstreamLineage',
    { keyed: [keyed('upstreams', 'dataset')], lineage: LINEAGE, initialValue: () => ({ upstreams: [] }) },
  ],
  ['dataFlowInfo', { keyed: [], initialValue: () => ({ name: '', customProperties: {} }) }],
  [
    'dataJobInfo',
    { keyed: [], initialValue: () => ({ name: '', type: { string: '' }, customProperties: {} }) },
  ],
  ['dataProductProperties', { keyed: [keyed('assets', 'destinationUrn')], initialValue: empty }],
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
      initialValue: () => ({ inputDatasets: [], outputDatasets: [] }),
    },
  ],
  [
    'chartInfo',
    {
      // An input is a union, and the builder of the Python client writes its urn alone.
      keyed: [keyed('inputEdges', 'destinationUrn'), keyed('inputs', 'string')],
      initialValue: (stamp) => ({ title: '', description: '', lastModified: changeStamps(stamp) }),
    },
  ],
  [
    'dashboardInfo',
    {
      keyed: [
        ...['chartEdges', 'datasetEdges', 'dashboards'].map((name) => keyed(name, 'destinationUrn')),
        ...['charts', 'datasets'].map((name) => keyed(name)),
      ],
      initialValue: (stamp) => ({ title: '', description: '', lastModified: changeStamps(stamp) }),
    },
  ],
  [
    'structuredProperties',
    {
      keyed: [keyed('properties', 'propertyUrn', `attribution${UNIT_SEPARATOR}source`)],
      initialValue: () => ({ properties: [] }),
    },
  ],
  [
    'propertyDefinition',
    {
      keyed: [keyed('entityTypes'), keyed('allowedValues', 'value')],
      initialValue: () => ({
        qualifiedName: '',
        valueType: 'urn:li:dataType:datahub.string',
        entityTypes: [],
      }),
    },
  ],
  [
    'formInfo',
    {
      keyed: [
        keyed('prompts', 'id'),
        { path: ['actors', 'users'], keys: [] },
        { path: ['actors', 'groups'], keys: [] },
        { path: ['actors', 'ownershipTypes'], keys: [] },
      ],
      initialValue: () => ({ name: '', type: 'COMPLETION', prompts: [] }),
    },
  ],
  ['versionProperties', { keyed: [] }],
  ['siblings', { keyed: [keyed('siblings')], initialValue: () => ({ siblings: [], primary: false }) }],
  ['domains', { keyed: [keyed('domains')], initialValue: () => ({ domains: [] }) }],
  [
    'apiSignature',
    {
      keyed: ['inputDatasetEdges', 'outputDatasetEdges'].map((name) => keyed(name, 'destinationUrn')),
      initialValue: empty,
    },
  ],
  ['status', { keyed: [], initialValue: () => ({ removed: false }) }],
  ['editableDatasetProperties', { keyed: [], initialValue: changeStamps }],
  ['editableContainerProperties', { keyed: [], initialValue: empty }],
  ['editableMlModelGroupProperties', { keyed: [], initialValue: changeStamps }],
]);
