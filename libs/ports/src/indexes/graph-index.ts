import type { EntityEdges, PartitionSequences, RelatedEntities, RelationshipRequest } from '@stratalog/model';
import type { DerivedIndex, IndexVersions } from './derived-index';

/** The relationship graphs of a store. */
export type GraphIndexes = IndexVersions<GraphIndex>;

/**
 * The edges between entities. What one entity draws is an entry: writing it replaces the edge set of each of its aspects, and an
 * entity that draws nothing any more keeps its place with its `seq`, so that nothing late brings its edges back.
 */
export interface GraphIndex extends DerivedIndex<EntityEdges> {
  /** Answers one hop together with the position that the answer reflects. An entity that nobody wrote has no edges. */
  related(request: RelationshipRequest): Promise<RelatedEntities & { readonly position: PartitionSequences }>;

  /**
   * Removes the edges that begin or end at `urn`, whatever their entities say.
   *
   * **Order and repeats**: the next entry that is written for such an entity brings what it draws then; one with a lower `seq`
   * than the removed ones had is dropped as ever.
   */
  removeEdges(urn: string): Promise<void>;
}
