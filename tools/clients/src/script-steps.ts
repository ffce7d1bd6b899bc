import { succeeded, type ClientSession } from './client-session';
import type { Step } from './step';

/** Scripts on the client's library, each with its own checks; the later ones read the writes of the first. */
export const SCRIPT_STEPS: readonly Step[] = [
  // First: it reads what the log has so far.
  {
    ...script('follow_actions', 'datahub-actions: each change at least once and in order, after kills'),
    isCurrentOnly: true,
  },
  script('emit_proposals', 'DatahubRestEmitter: proposals'),
  script('emit_snapshots', 'DatahubRestEmitter: snapshots'),
  script('emit_patches', 'DatahubRestEmitter: patches'),
  {
    ...script('patch_builders', 'Every builder of patches, compared with a naive model'),
    isCurrentOnly: true,
  },
  script('graph_reads', 'DataHubGraph: reads, search, relationships'),
  {
    ...script('schema_resolver', 'SchemaResolver: schemas for SQL parsers, by batchGet'),
    isCurrentOnly: true,
  },
  {
    ...script('openapi_reads', 'DataHubGraph: pages of entities, and platform resources, by OpenAPI'),
    isCurrentOnly: true,
  },
  { ...script('openapi_edges', 'DataHubGraph: relationships and lineage by OpenAPI'), isCurrentOnly: true },
  { ...script('openapi_writes', 'DatahubRestEmitter: OpenAPI'), isCurrentOnly: true },
  {
    ...script('graphql_reads', 'DataHubGraph and DataHubClient: searches and lineage by GraphQL'),
    isCurrentOnly: true,
  },
  {
    ...script('sql_queries', 'sql-queries: columns of 50 queries over the schemas of the catalog'),
    isCurrentOnly: true,
  },
  {
    ...script('filtered_urns', 'DataHubGraph: get_urns_by_filter lists each urn once while others write'),
    isCurrentOnly: true,
  },
  { ...script('emit_batches', 'DatahubRestEmitter: batches'), isCurrentOnly: true },
  script('graph_lists', 'DataHubGraph: lists and counts'),
  script('references', 'DataHubGraph: references are taken out'),
  script('timeseries', 'DatahubRestEmitter and DataHubGraph: values of timeseries aspects'),
  script('deletes', 'DataHubGraph: soft-deletes and deletes'),
];

function script(name: string, title: string): Step {
  return {
    name: title,
    run: async (client: ClientSession) => {
      succeeded(await client.script(name));
    },
  };
}
