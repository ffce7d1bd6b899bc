import {
  parseSequences,
  type LineageEdge,
  type LineageEdgesRequest,
  type LineagePage,
  type LineagePageRequest,
  type PartitionSequences,
} from '@stratalog/model';
import type { QueryConfig } from 'pg';
import { positionText } from './graph-read';
import { urnKey, type GraphTables } from './graph-tables';
import { OWNER, nameVariant, neighboursText, timeValues } from './lineage-ends';

interface EdgeRow {
  readonly far: string;
  readonly relationship: string;
  readonly created_ms: number;
  readonly created_actor: string;
  readonly updated_ms: number;
  readonly updated_actor: string;
  readonly properties: string | null;
  readonly via: string | null;
  readonly owner?: string;
  readonly aspect: string;
}

/** An edge, and the place of its pair in the request, from 1. */
export interface PairRow extends EdgeRow {
  readonly n: number;
}

/** One row per edge, or one row without an edge, which carries the total and the checkpoint alone. */
export interface PageRow extends Omit<EdgeRow, 'far'> {
  readonly far: string | null;
  readonly total: number;
  readonly position: Readonly<Record<string, number>> | null;
}

const FACTS = 'relationship, created_ms, created_actor, updated_ms, updated_actor, properties, via';
/** Of several edges to one end, the first in this order stands for all. */
const FIRST = 'relationship, created_ms, aspect, owner_key';

/** Builds the statement for the edges between pairs of urns. */
export function lineageEdgesStatement(
  { edges }: GraphTables,
  { ends, exceptVia, limitPerPair, withOwners = false, ...scope }: LineageEdgesRequest,
): QueryConfig {
  const between = neighboursText(edges, scope, {
    key: 'p.key::uuid',
    columns: `${FACTS}, aspect, owner_key${withOwners ? ', owner, source' : ''}`,
    times: ['$5', '$6'],
    far: 'p.far',
  });
  return {
    name: `lineage-edges-${nameVariant(scope)}-${withOwners ? 'owned-' : ''}${edges}`,
    text: `select p.n::integer, o.far, ${FACTS}${withOwners ? `, ${OWNER}` : ''}
             from unnest($1::text[], $2::text[]) with ordinality p(key, far, n)
            cross join lateral (select * from (${between}) b
                                 where via is null or via <> all($3::text[])
                                 order by ${FIRST} limit $4) o
            order by p.n, ${FIRST}`,
    values: [
      ends.map(({ near }) => urnKey(near)),
      ends.map(({ far }) => far),
      exceptVia,
      limitPerPair,
      ...timeValues(scope),
    ],
  };
}

export function toLineageEdges(
  { ends }: LineageEdgesRequest,
  rows: readonly PairRow[],
): readonly LineageEdge[] {
  return rows.map((row) => toLineageEdge(row, ends[row.n - 1]?.near ?? ''));
}

/** Builds the statement for one page of neighbours: it finds their urns in the indices, then reads one edge of each. */
export function lineagePageStatement(
  { edges }: GraphTables,
  indexVersion: number,
  { urn, start, count, ...scope }: LineagePageRequest,
): QueryConfig {
  const read = { key: '$1::uuid', times: ['$5', '$6'] } as const;
  const urns = `select distinct far from (${neighboursText(edges, scope, { ...read, columns: '' })}) u`;
  const ends = neighboursText(edges, scope, {
    ...read,
    columns: `${FACTS}, aspect, owner_key`,
    far: 'g.far',
  });
  return {
    name: `lineage-page-${nameVariant(scope)}-${edges}`,
    text: `select t.total, p.position, e.far, ${FACTS}
             from (select count(*) as total from (${urns}) d) t
            cross join ${positionText('$4')} p
             left join (
                  select o.*
                    from (${urns} order by far offset $2 limit $3) g
                   cross join lateral (select * from (${ends}) b order by ${FIRST} limit 1) o) e on true
            order by e.far`,
    values: [urnKey(urn), start, count, indexVersion, ...timeValues(scope)],
  };
}

export function toLineagePage(
  { urn }: LineagePageRequest,
  rows: readonly PageRow[],
): LineagePage & { readonly position: PartitionSequences } {
  const [first] = rows;
  return {
    total: first?.total ?? 0,
    edges: rows.flatMap(({ far, ...row }) => (far === null ? [] : [toLineageEdge({ ...row, far }, urn)])),
    position: parseSequences(first?.position ?? {}),
  };
}

function toLineageEdge(row: EdgeRow, near: string): LineageEdge {
  const { far, relationship, properties, via, owner, aspect } = row;
  return {
    near,
    far,
    relationship,
    created: { time: row.created_ms, actor: row.created_actor },
    updated: { time: row.updated_ms, actor: row.updated_actor },
    ...(properties === null ? {} : { properties: JSON.parse(properties) as LineageEdge['properties'] & {} }),
    ...(via === null ? {} : { via }),
    ...(owner === undefined ? {} : { owner, aspectName: aspect }),
  };
}
