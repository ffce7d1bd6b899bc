import {
  parseSequences,
  type Edge,
  type EdgeDirection,
  type PartitionSequences,
  type RelatedEntities,
  type RelationshipCount,
  type RelationshipRequest,
} from '@stratalog/domain';
import type { QueryConfig } from 'pg';
import { urnKey, type GraphTables } from './graph-tables';

/** One row per edge of the page, or one row without an edge. The first row carries the total and the checkpoint. */
export interface RelatedRow {
  readonly total: number;
  readonly position: Readonly<Record<string, number>> | null;
  readonly source: string | null;
  readonly relationship: string;
  readonly destination: string;
  readonly is_lineage: boolean;
  readonly is_upstream: boolean;
  readonly created_ms: number;
  readonly created_actor: string;
  readonly updated_ms: number;
  readonly updated_actor: string;
  readonly properties: string | null;
  readonly via: string | null;
}

/** Builds one statement for total, page and checkpoint, so that all three read the same snapshot. */
export function relatedStatement(
  { edges }: GraphTables,
  indexVersion: number,
  { urn, direction, relationships, declaredBySource = false, start, count }: RelationshipRequest,
): QueryConfig {
  const owned = declaredBySource ? ' and owner_key = source_key' : '';
  const edgesSql = edgesText(edges, direction, owned);
  return {
    name: `related-${direction}-${declaredBySource ? 'declared-' : ''}${edges}`,
    text: `select t.total, p.position, e.*
             from (select count(*) as total from (select distinct relationship, entity from (${edgesSql}) f) d) t
            cross join ${positionText('$5')} p
             left join (select distinct on (relationship, entity) *
                          from (${edgesSql}) f
                         order by relationship, entity, created_ms, aspect
                         offset $3 limit $4) e on true
            order by e.relationship, e.entity`,
    values: [urnKey(urn), relationships, start, count, indexVersion],
  };
}

function edgesText(edges: string, direction: EdgeDirection, owned: string): string {
  const ends = `relationship = any($2::text[])${owned}`;
  switch (direction) {
    case 'OUTGOING':
      return `select destination as entity, * from ${edges} where source_key = $1::uuid and ${ends}`;
    case 'INCOMING':
      return `select source as entity, * from ${edges} where destination_key = $1::uuid and ${ends}`;
    case 'UNDIRECTED':
      return `${edgesText(edges, 'OUTGOING', owned)} union all ${edgesText(edges, 'INCOMING', owned)}`;
  }
}

/** One row per relationship and direction, or one row without. Each carries the checkpoint. */
export type CountRow = Pick<RelatedRow, 'position'> & (RelationshipCount | { readonly relationship: null });

/** Builds one statement for counts and checkpoint; each direction is read along an index of its own. */
export function countStatement({ edges }: GraphTables, indexVersion: number, urn: string): QueryConfig {
  return {
    name: `count-related-${edges}`,
    text: `select p.position, c.*
             from ${positionText('$2')} p
             left join (select relationship, 'INCOMING' as direction, count(*)::integer as count
                          from (select distinct relationship, source from ${edges} where destination_key = $1::uuid) i group by 1
                         union all
                        select relationship, 'OUTGOING' as direction, count(*)::integer as count
                          from (select distinct relationship, destination_key from ${edges} where source_key = $1::uuid) o group by 1) c on true
            order by c.relationship, c.direction`,
    values: [urnKey(urn), indexVersion],
  };
}

/** Converts the rows of the statement to an answer. */
export function toRelatedEntities(
  { urn, direction }: RelationshipRequest,
  rows: readonly RelatedRow[],
): RelatedEntities & { readonly position: PartitionSequences } {
  const first = rows[0];
  const edges = toEdges(rows);
  const isAtSource = (edge: Edge): boolean =>
    direction === 'OUTGOING' || (direction === 'UNDIRECTED' && edge.source === urn);
  return {
    total: first?.total ?? 0,
    related: edges.map((edge) => ({ entity: isAtSource(edge) ? edge.destination : edge.source, edge })),
    position: parseSequences(first?.position ?? {}),
  };
}

/** Builds the expression for the checkpoint as one value, named `position`. */
export function positionText(indexVersion: string): string {
  return `(select json_object_agg(partition, seq) as position
             from graph_checkpoint where index_version = ${indexVersion})`;
}

/** Converts the rows that have an edge. */
export function toEdges(rows: readonly FoundEdge[]): readonly Edge[] {
  return rows.flatMap((row) => (row.source === null ? [] : [toEdge({ ...row, source: row.source })]));
}

/** A row with or without an edge. */
export type FoundEdge = Omit<RelatedRow, 'total' | 'position'>;

function toEdge(row: FoundEdge & { readonly source: string }): Edge {
  return {
    source: row.source,
    relationship: row.relationship,
    destination: row.destination,
    isLineage: row.is_lineage,
    isUpstream: row.is_upstream,
    created: { time: row.created_ms, actor: row.created_actor },
    updated: { time: row.updated_ms, actor: row.updated_actor },
    ...(row.properties === null ? {} : { properties: JSON.parse(row.properties) as Edge['properties'] & {} }),
    ...(row.via === null ? {} : { via: row.via }),
  };
}
