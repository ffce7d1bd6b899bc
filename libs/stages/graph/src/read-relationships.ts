import { liveGraph } from '@stratalog/lineage';
import {
  distance,
  type PartitionSequences,
  type RelatedEntity,
  type RelationshipRequest,
} from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { AspectStore, GraphIndexVersions } from '@stratalog/ports';

export interface GraphDeps {
  readonly store: AspectStore;
  readonly graphIndexes: GraphIndexVersions;
}

export interface RelationshipsAnswer {
  readonly body: JsonOutputObject;
  /** The position that the answer reflects. */
  readonly position: PartitionSequences;
  /** Number of changes in the store that the answer does not reflect. */
  readonly lag: number;
}

/**
 * Reads the entities one edge away. An entity without a write has no edges; ends without a write and soft-deleted
 * ends are included.
 *
 * **Shape**: the reference's `start`, `count` (of this page), `total` and `relationships`, and the contract's
 * `entities`: the distinct urns of the page.
 *
 * **Errors**: `UnavailableError` while the first graph is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Relationships.
 */
export async function readRelationships(
  { store, graphIndexes }: GraphDeps,
  request: RelationshipRequest,
): Promise<RelationshipsAnswer> {
  const graph = await liveGraph(graphIndexes);
  const { total, related, position } = await graph.related(request);
  const body = {
    start: request.start,
    count: related.length,
    total,
    relationships: related.map(formatRelationship),
    entities: [...new Set(related.map(({ entity }) => entity))],
  };
  return { body, position, lag: distance(position, await store.readPartitionSequences()) };
}

/**
 * Reads the same page in the form of OpenAPI clients.
 *
 * **Shape**: `{start, count, total, entities: [{urn, relationshipType, via?}]}`.
 */
export async function readRelatedEntities(
  { store, graphIndexes }: GraphDeps,
  request: RelationshipRequest,
): Promise<RelationshipsAnswer> {
  const graph = await liveGraph(graphIndexes);
  const { total, related, position } = await graph.related(request);
  const entities = related.map(({ entity, edge: { relationship, via } }) => ({
    urn: entity,
    relationshipType: relationship,
    via,
  }));
  const body = { start: request.start, count: related.length, total, entities };
  return { body, position, lag: distance(position, await store.readPartitionSequences()) };
}

/**
 * Counts the entities one edge away by name and direction of the edge.
 *
 * **Shape**: `{urn, counts: [{type, direction, count}]}`, by type; names without an edge are left out.
 *
 * **Errors**: `UnavailableError` while the first graph is being built.
 */
export async function countRelationships(
  { store, graphIndexes }: GraphDeps,
  urn: string,
): Promise<RelationshipsAnswer> {
  const graph = await liveGraph(graphIndexes);
  const { counts, position } = await graph.countRelated(urn);
  const body = {
    urn,
    counts: counts.map(({ relationship, direction, count }) => ({ type: relationship, direction, count })),
  };
  return { body, position, lag: distance(position, await store.readPartitionSequences()) };
}

/** Removes edges from the graph only; the next change of an aspect projects its edges again. */
export async function removeRelationships(
  { graphIndexes }: Pick<GraphDeps, 'graphIndexes'>,
  urn: string,
): Promise<void> {
  const graph = await liveGraph(graphIndexes);
  await graph.removeEdges(urn);
}

function formatRelationship({ entity, edge: { relationship, created } }: RelatedEntity): JsonOutputObject {
  return { type: relationship, entity, created: { time: created.time, actor: created.actor } };
}
