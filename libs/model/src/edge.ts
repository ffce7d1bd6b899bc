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
