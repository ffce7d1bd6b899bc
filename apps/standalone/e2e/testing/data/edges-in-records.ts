import { isJsonObject, type JsonValue } from '@stratalog/json';

/** The members of a connector's proposal that its edges need. */
export interface DrawingRecord {
  readonly entityUrn: string;
  readonly aspectName: string;
  readonly aspect: { readonly json: JsonValue };
}

/**
 * The places of relationships in the aspects of the files, transcribed from DataHub's documentation. They
 * must not come from the model, because they check the catalog's reading of it.
 */
const PLACES: Readonly<Record<string, readonly (readonly [type: string, path: string])[]>> = {
  container: [['IsPartOf', 'container']],
  globalTags: [['TaggedWith', 'tags.*.tag']],
  ownership: [
    ['OwnedBy', 'owners.*.owner'],
    ['ownershipType', 'owners.*.typeUrn'],
  ],
  upstreamLineage: [
    ['DownstreamOf', 'upstreams.*.dataset'],
    ['DownstreamOf', 'fineGrainedLineages.*.upstreams.*'],
  ],
  schemaMetadata: [
    ['ForeignKeyTo', 'foreignKeys.*.foreignFields.*'],
    ['ForeignKeyToDataset', 'foreignKeys.*.foreignDataset'],
    ['SchemaFieldTaggedWith', 'fields.*.globalTags.tags.*.tag'],
    ['SchemaFieldWithGlossaryTerm', 'fields.*.glossaryTerms.terms.*.urn'],
  ],
  chartInfo: [
    ['Consumes', 'inputs.*.string'],
    ['Consumes', 'inputEdges.*.destinationUrn'],
  ],
  dashboardInfo: [
    ['Contains', 'charts.*'],
    ['Contains', 'chartEdges.*.destinationUrn'],
    ['Consumes', 'datasets.*'],
    ['Consumes', 'datasetEdges.*.destinationUrn'],
    ['DashboardContainsDashboard', 'dashboards.*.destinationUrn'],
  ],
  mlModelProperties: [
    ['MemberOf', 'groups.*'],
    ['TrainedBy', 'trainingJobs.*'],
    ['UsedBy', 'downstreamJobs.*'],
    ['Consumes', 'mlFeatures.*'],
    ['DeployedTo', 'deployments.*'],
  ],
  mlModelGroupProperties: [
    ['TrainedBy', 'trainingJobs.*'],
    ['UsedBy', 'downstreamJobs.*'],
  ],
};

/** Returns each entity's edges as `<type> <urn>`, each once: those of the last record of each aspect. */
export function edgesInRecords(records: readonly DrawingRecord[]): ReadonlyMap<string, ReadonlySet<string>> {
  const last = new Map(records.map((record) => [`${record.entityUrn} ${record.aspectName}`, record]));
  const edges = new Map<string, Set<string>>();
  for (const { entityUrn, aspectName, aspect } of last.values()) {
    for (const [type, path] of PLACES[aspectName] ?? []) {
      for (const end of textsAt(aspect.json, path.split('.'))) {
        edges.set(entityUrn, (edges.get(entityUrn) ?? new Set<string>()).add(`${type} ${end}`));
      }
    }
  }
  return edges;
}

/** Returns the edges between columns as `[downstream, upstream]`, each once. */
export function columnEdgesInRecords(
  records: readonly DrawingRecord[],
): readonly (readonly [string, string])[] {
  const last = new Map(records.map((record) => [`${record.entityUrn} ${record.aspectName}`, record]));
  const edges = new Map<string, readonly [string, string]>();
  for (const { aspectName, aspect } of last.values()) {
    if (aspectName !== 'upstreamLineage' && aspectName !== 'dataJobInputOutput') continue;
    const lists = isJsonObject(aspect.json) ? aspect.json.fineGrainedLineages : undefined;
    for (const element of Array.isArray(lists) ? lists : []) {
      for (const downstream of textsAt(element, ['downstreams', '*'])) {
        for (const upstream of textsAt(element, ['upstreams', '*'])) {
          edges.set(`${downstream} ${upstream}`, [downstream, upstream]);
        }
      }
    }
  }
  return [...edges.values()];
}

function textsAt(value: JsonValue | undefined, [first, ...rest]: readonly string[]): readonly string[] {
  if (first === undefined) return typeof value === 'string' ? [value] : [];
  if (first === '*') return Array.isArray(value) ? value.flatMap((each) => textsAt(each, rest)) : [];
  return isJsonObject(value) ? textsAt(value[first], rest) : [];
}
