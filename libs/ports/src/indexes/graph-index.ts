import type {
  EdgesPage,
  EdgesRequest,
  EntityEdges,
  LineageDirection,
  LineageEdge,
  LineageEdgesRequest,
  LineageHop,
  LineageHopRequest,
  LineagePage,
  LineagePageRequest,
  PartitionSequences,
  RelatedEntities,
  RelationshipCount,
  RelationshipRequest,
} from '@stratalog/domain';
import type { DerivedIndex, IndexVersions } from './derived-index';

/** The versions of the relationship graph of a store. */
export type GraphIndexVersions = IndexVersions<GraphIndex>;

/**
 * Holds the edges between entities.
 *
 * The entry of an entity holds the edges that its aspects declare: its outgoing edges, and those between columns. A write
 * replaces the edge set of each of its aspects. An entity without edges keeps an empty entry with its `seq`, so that a
 * late write cannot bring old edges back.
 */
export interface GraphIndex extends DerivedIndex<EntityEdges> {
  /** Reads one hop, with the checkpoint that the answer reflects. An unknown entity has no edges. */
  related(request: RelationshipRequest): Promise<RelatedEntities & { readonly position: PartitionSequences }>;

  /** Counts the entities one hop away, by relationship in byte order and then by direction. A loop counts in both directions. */
  countRelated(
    urn: string,
  ): Promise<{ readonly counts: readonly RelationshipCount[]; readonly position: PartitionSequences }>;

  /**
   * Reads one page of all edges, without reading the pages before.
   *
   * **Order and repeats**: an edge that is there throughout appears on exactly one page, despite writes between them.
   *
   * **Errors**: `InvalidRequestError` when `after` is no place of a graph.
   */
  edges(request: EdgesRequest): Promise<EdgesPage & { readonly position: PartitionSequences }>;

  /** Reads the steps from several entities along lineage edges, one hop in one direction. */
  lineageHop(request: LineageHopRequest): Promise<LineageHop & { readonly position: PartitionSequences }>;

  /** Reads the lineage edges between pairs of entities: in the order of the pairs, and then as they are limited. */
  lineageEdges(request: LineageEdgesRequest): Promise<readonly LineageEdge[]>;

  /** Reads one page of the entities one hop away, with their exact number. It does not read the pages before. */
  lineagePage(request: LineagePageRequest): Promise<LineagePage & { readonly position: PartitionSequences }>;

  /** Lists columns of an entity that have lineage in a direction, at most `limit`, by urn in byte order. */
  lineageColumns(urn: string, direction: LineageDirection, limit: number): Promise<readonly string[]>;

  /**
   * Removes all edges that begin or end at `urn`, including edges of other entities' entries.
   *
   * **Order and repeats**: the next entry written for such an entity restores its current edges. A later write with a
   * `seq` below that of the removed edges is dropped.
   */
  removeEdges(urn: string): Promise<void>;
}
