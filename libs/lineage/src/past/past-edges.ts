import {
  LINEAGE_DIRECTIONS,
  parentOfColumn,
  type Edge,
  type EdgeOwner,
  type LineageDirection,
  type LineageEdge,
  type LineageScope,
  type LineageStep,
} from '@stratalog/domain';

/** A lineage edge with the aspect that declared it. */
export type OwnedEdge = LineageEdge & EdgeOwner;

/** Holds the lineage edges of some aspects as they were, by either end. */
export class PastEdges {
  private readonly byNear: Readonly<Record<LineageDirection, Map<string, OwnedEdge[]>>> = {
    UPSTREAM: new Map(),
    DOWNSTREAM: new Map(),
  };
  private readonly columns: Readonly<Record<LineageDirection, Map<string, string[]>>> = {
    UPSTREAM: new Map(),
    DOWNSTREAM: new Map(),
  };

  /** Adds one edge of an aspect, if it is lineage. */
  add({ source, destination, isLineage, isUpstream, ...facts }: Edge, owner: EdgeOwner): void {
    if (!isLineage) return;
    for (const direction of LINEAGE_DIRECTIONS) {
      const isFromSource = isUpstream === (direction === 'UPSTREAM');
      const [near, far] = isFromSource ? [source, destination] : [destination, source];
      append(this.byNear[direction], near, { near, far, ...facts, ...owner });
      const parent = parentOfColumn(near);
      if (parent !== undefined) append(this.columns[direction], parent, near);
    }
  }

  /** Lists the edges from one end, in no order. */
  from(near: string, scope: Omit<LineageScope, 'level'> & Partial<LineageScope>): readonly OwnedEdge[] {
    const edges = this.byNear[scope.direction].get(near) ?? [];
    return edges.filter((edge) => isWithin(edge, scope));
  }

  /** Lists the columns of an entity that have lineage, in no order; one may appear again. */
  listColumns(urn: string, direction: LineageDirection): readonly string[] {
    return this.columns[direction].get(urn) ?? [];
  }
}

/** Orders edges as a graph does: by the far end, and then by relationship, creation, aspect and owner. */
export function compareEdges(a: LineageEdge, b: LineageEdge): number {
  return (
    compareText(a.far, b.far) ||
    compareText(a.relationship, b.relationship) ||
    a.created.time - b.created.time ||
    compareText(a.aspectName ?? '', b.aspectName ?? '') ||
    compareText(a.owner ?? '', b.owner ?? '')
  );
}

/** Returns the aspect that declares a step. */
export function readOwner({ owner = '', aspectName = '' }: LineageStep): EdgeOwner {
  return { owner, aspectName };
}

/** Names an aspect in a set or map. */
export function nameOwner({ owner, aspectName }: EdgeOwner): string {
  return `${aspectName} ${owner}`;
}

export function append<Value>(groups: Map<string, Value[]>, key: string, value: Value): void {
  const group = groups.get(key);
  if (group === undefined) groups.set(key, [value]);
  else group.push(value);
}

function isWithin(
  { far, created, updated, properties }: OwnedEdge,
  { level, fromMs, toMs }: Partial<LineageScope>,
): boolean {
  if (level === 'ENTITY' && far.split(':', 3)[2] === 'schemaField') return false;
  if (properties?.source === 'UI') return true;
  return (fromMs === undefined || updated.time >= fromMs) && (toMs === undefined || created.time <= toMs);
}

export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
