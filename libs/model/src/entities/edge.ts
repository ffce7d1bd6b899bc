import type { AuditStamp } from './aspect';

/** A relationship that one aspect of an entity draws to another entity. */
export interface Edge {
  /** The urn whose aspect draws it. */
  readonly source: string;
  /** The relationship's name, e.g. `OwnedBy`. */
  readonly relationship: string;
  readonly destination: string;
  readonly isLineage: boolean;
  /** For lineage: the destination lies upstream of the source. */
  readonly isUpstream: boolean;
  readonly created: AuditStamp;
  readonly updated: AuditStamp;
  readonly properties?: Readonly<Record<string, string>>;
  /** The entity that made it, e.g. a query. */
  readonly via?: string;
}

/** The edges that one aspect draws; no two with the same relationship and destination. */
export interface EdgeSet {
  readonly aspectName: string;
  readonly edges: readonly Edge[];
}

/** All edges that an entity draws, aspect by aspect; an aspect that is not named draws none. */
export interface EntityEdges {
  readonly urn: string;
  /** Of the entity when its aspects were read: sets with a lower one never replace these. */
  readonly seq: number;
  readonly sets: readonly EdgeSet[];
}

/** Which end of an edge an entity is: `INCOMING` asks for edges that end at it, `UNDIRECTED` for both. */
export const EDGE_DIRECTIONS = ['INCOMING', 'OUTGOING', 'UNDIRECTED'] as const;
export type EdgeDirection = (typeof EDGE_DIRECTIONS)[number];

/** A question for the edges of one entity. */
export interface RelationshipRequest {
  readonly urn: string;
  readonly direction: EdgeDirection;
  /** Names of relationships. */
  readonly relationships: readonly string[];
  readonly start: number;
  readonly count: number;
}

/** The other end of an edge. Where several aspects draw the same edge it is there once, as it was first created. */
export interface RelatedEntity {
  readonly entity: string;
  readonly edge: Edge;
}

/** One page, by relationship and then by urn, both in byte order. */
export interface RelatedEntities {
  /** Of all pages. */
  readonly total: number;
  readonly related: readonly RelatedEntity[];
}
