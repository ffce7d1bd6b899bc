import type { EntityEdges, PartitionSequences, RelatedEntities, RelationshipRequest } from '@stratalog/model';
import type { DerivedIndex, IndexVersions } from './derived-index';

/** The versions of the relationship graph of a store. */
export type GraphIndexVersions = IndexVersions<GraphIndex>;

/**
 * Holds the edges between entities.
 *
 * The entry of an entity holds its outgoing edges; a write replaces the edge set of each of its aspects. An entity
 * without edges keeps an empty entry with its `seq`, so that a late write cannot bring old edges back.
 */
export interface GraphIndex extends DerivedIndex<EntityEdges> {
  /** Reads one hop, with the checkpoint that the answer reflects. An unknown entity has no edges. */
  related(request: RelationshipRequest): Promise<RelatedEntities & { readonly position: PartitionSequences }>;

  /**
   * Removes all edges that begin or end at `urn`, including edges of other entities' entries.
   *
   * **Order and repeats**: the next entry written for such an entity restores its current edges. A later write with a
   * `seq` below that of the removed edges is dropped.
   */
  removeEdges(urn: string): Promise<void>;
}
