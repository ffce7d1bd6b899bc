import type { AuditStamp } from './aspect';
import { COLUMN_TYPE, parseUrn } from './urn';

/** `UPSTREAM`: to what an entity is made from. `DOWNSTREAM`: to what is made from it. */
export const LINEAGE_DIRECTIONS = ['UPSTREAM', 'DOWNSTREAM'] as const;
export type LineageDirection = (typeof LINEAGE_DIRECTIONS)[number];

/** `ENTITY`: lineage between entities other than columns. `COLUMN`: lineage from columns, to columns and entities. */
export const LINEAGE_LEVELS = ['ENTITY', 'COLUMN'] as const;
export type LineageLevel = (typeof LINEAGE_LEVELS)[number];

/** The lineage edges that a query follows. */
export interface LineageScope {
  readonly direction: LineageDirection;
  readonly level: LineageLevel;
  /**
   * Only edges that existed at some time from `fromMs` to `toMs`, by their stamps; an absent end is open. An edge that a
   * person drew in a user interface (`source` is `UI` in its properties) always counts.
   *
   * **Units**: epoch milliseconds.
   */
  readonly fromMs?: number;
  readonly toMs?: number;
}

/** A query for the next entities of several ones. */
export interface LineageHopRequest extends LineageScope {
  /** Each urn once. */
  readonly urns: readonly string[];
  /** Most edges per urn: the first by the urn of the other end. */
  readonly limitPerUrn: number;
  /** Most edges in all. */
  readonly limit: number;
  /** True: each step names its owner. */
  readonly withOwners?: boolean;
}

/** The aspect that declares an edge. */
export interface EdgeOwner {
  /** Urn of the entity that has the aspect. */
  readonly owner: string;
  readonly aspectName: string;
}

/** A step along a lineage edge, in either direction. */
export interface LineageStep extends Partial<EdgeOwner> {
  /** The urn that was asked. */
  readonly near: string;
  /** The urn that it leads to. */
  readonly far: string;
  /** Urn of the entity that produced the edge, e.g. a query. */
  readonly via?: string;
}

/** A lineage edge as followed. */
export interface LineageEdge extends LineageStep {
  /** Name of the relationship. */
  readonly relationship: string;
  readonly created: AuditStamp;
  readonly updated: AuditStamp;
  readonly properties?: Readonly<Record<string, string>>;
}

/** The steps of one hop: in the order of the urns, and then by the urn of the other end. */
export interface LineageHop {
  readonly steps: readonly LineageStep[];
  /** Number of urns, from the first, whose steps are complete but for `limitPerUrn`; all unless `limit` cut the answer. */
  readonly answered: number;
  /** Urns of which further edges exist although fewer steps than `limitPerUrn` are answered. */
  readonly cutAt?: readonly string[];
}

/** A query for the edges between pairs of urns, within one direction and time. */
export interface LineageEdgesRequest extends Omit<LineageScope, 'level'> {
  readonly ends: readonly Pick<LineageStep, 'near' | 'far'>[];
  /** Edges that one of these entities produced are left out. */
  readonly exceptVia: readonly string[];
  /** Most edges of each pair: the first by relationship, creation, aspect and owner. */
  readonly limitPerPair: number;
  readonly withOwners?: boolean;
}

/** A query for one page of the entities that are one hop away, each with one edge, by urn in byte order. */
export interface LineagePageRequest extends LineageScope {
  readonly urn: string;
  readonly start: number;
  readonly count: number;
}

export interface LineagePage {
  /** Number of entities on all pages. */
  readonly total: number;
  readonly edges: readonly LineageEdge[];
}

/** Returns the entity that a column belongs to; `undefined` for any other urn. */
export function parentOfColumn(urn: string): string | undefined {
  if (!urn.includes(`:${COLUMN_TYPE}:(`)) return undefined;
  const parsed = parseUrn(urn);
  if (!('urn' in parsed) || parsed.urn.entityType !== COLUMN_TYPE) return undefined;
  const [parent = ''] = parsed.urn.parts;
  return 'urn' in parseUrn(parent) ? parent : undefined;
}
