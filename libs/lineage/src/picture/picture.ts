/** The content of a picture of the lineage around an entity, without coordinates. */
export interface Picture {
  /** By distance from the asked entity, and then by urn. */
  readonly nodes: readonly PictureNode[];
  readonly edges: readonly PictureEdge[];
  /** True: more entities lie within the hops of the query than the picture shows. */
  readonly isPartial: boolean;
}

export interface PictureNode {
  readonly urn: string;
  /** Hops from the asked entity: negative upstream, 0 for the asked entity. */
  readonly degree: number;
  /** Shown columns; empty unless the query asks for columns. */
  readonly columns: readonly string[];
  /** Number of columns with lineage that are not shown. */
  readonly moreColumns: number;
  readonly moreUpstream: OmittedCount;
  readonly moreDownstream: OmittedCount;
}

/** Number of neighbours that a picture does not show. */
export interface OmittedCount {
  readonly count: number;
  /** False: there may be more than `count`, because only the first neighbours were read. */
  readonly isExact: boolean;
}

/** Leads from upstream to downstream. */
export interface PictureEdge {
  readonly from: string;
  readonly to: string;
  /** Urns of shown columns at its ends. */
  readonly fromColumn?: string;
  readonly toColumn?: string;
  /** Urns of the entities that produced the edge, such as queries and jobs, by urn; absent without one. */
  readonly via?: readonly string[];
}

/** How people know an entity. */
export interface EntityLabel {
  readonly entityType: string;
  /** Name of its platform, tool or orchestrator; absent when the urn names none. */
  readonly platform?: string;
  readonly name: string;
}
