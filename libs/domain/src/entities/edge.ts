import type { AuditStamp } from './aspect';

/** A relationship from one entity to another that one aspect declares. */
export interface Edge {
  /** Urn of the entity whose aspect declares the edge; of an edge between columns, the column downstream. */
  readonly source: string;
  /** Name of the relationship, e.g. `OwnedBy`. */
  readonly relationship: string;
  readonly destination: string;
  readonly isLineage: boolean;
  /** For lineage: true when the destination lies upstream of the source. */
  readonly isUpstream: boolean;
  readonly created: AuditStamp;
  readonly updated: AuditStamp;
  readonly properties?: Readonly<Record<string, string>>;
  /** Urn of the entity that produced the edge, e.g. a query. */
  readonly via?: string;
}

/** The edges of one aspect. No two have the same source, relationship and destination. */
export interface EdgeSet {
  readonly aspectName: string;
  readonly edges: readonly Edge[];
}

/** All edges of an entity, aspect by aspect. An aspect without a set has no edges. */
export interface EntityEdges {
  readonly urn: string;
  /** The version of the sets, as of a search document. An index ignores sets with a lower `seq` than its own. */
  readonly seq: number;
  readonly sets: readonly EdgeSet[];
}

/**
 * Direction of a relationship query: `INCOMING` edges end at the entity, `OUTGOING` edges start there, `UNDIRECTED`
 * means both.
 */
export const EDGE_DIRECTIONS = ['INCOMING', 'OUTGOING', 'UNDIRECTED'] as const;
export type EdgeDirection = (typeof EDGE_DIRECTIONS)[number];

/** A query for one page of an entity's edges. */
export interface RelationshipRequest {
  readonly urn: string;
  readonly direction: EdgeDirection;
  /** Names of the relationships to include. */
  readonly relationships: readonly string[];
  /** True: leaves out edges that another entity's aspect declares, such as those between columns. */
  readonly declaredBySource?: boolean;
  readonly start: number;
  readonly count: number;
}

/** A query for one page of the edges of the whole graph. Each member that is present narrows it. */
export interface EdgesRequest {
  readonly relationships?: readonly string[];
  /** Entity types of the ends. */
  readonly sourceTypes?: readonly string[];
  readonly destinationTypes?: readonly string[];
  /** Urns of the ends. */
  readonly sources?: readonly string[];
  readonly destinations?: readonly string[];
  /** Urns, one of which is at either end. */
  readonly ends?: readonly string[];
  /** True: only lineage. */
  readonly isLineage?: true;
  /** `next` of the page before. */
  readonly after?: string;
  readonly count: number;
}

/** One page of edges, in an order that stays. An edge that several aspects declare appears once. */
export interface EdgesPage {
  readonly edges: readonly Edge[];
  /** The place behind the last edge, opaque and shorter than 1,000 characters; absent when this page is not full. */
  readonly next?: string;
}

/** The other end of an edge. An edge that several aspects declare appears once, with its earliest creation stamp. */
export interface RelatedEntity {
  readonly entity: string;
  readonly edge: Edge;
}

/** One page of related entities, ordered by relationship and then by urn, both in byte order. */
export interface RelatedEntities {
  /** Number of related entities on all pages. */
  readonly total: number;
  readonly related: readonly RelatedEntity[];
}

/** Number of entities that edges of one relationship lead to, in one direction. */
export interface RelationshipCount {
  readonly relationship: string;
  readonly direction: Exclude<EdgeDirection, 'UNDIRECTED'>;
  readonly count: number;
}
