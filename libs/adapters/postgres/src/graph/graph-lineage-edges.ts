import {
  parseSequences,
  type LineageEdge,
  type LineageEdgesRequest,
  type LineagePage,
  type LineagePageRequest,
  type PartitionSequences,
} from '@stratalog/domain';
import type { QueryConfig } from 'pg';
import { positionText } from './graph-read';
import { urnKey, type GraphTables } from './graph-tables';
import { BY_FAR, OWNER, nameVariant, neighboursText, timeValues } from './lineage-ends';

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

/** An edge, and the place in the request of a pair with its near end, from 1. */
export interface PairRow extends EdgeRow {
  readonly near: number;
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

/**
 * Builds the statement for the edges between pairs of urns: one scan of each index for each near end, from its first far end to its
 * last, of which a hash keeps the pairs.
 *
 * A lookup for each pair would read less when the server plans it well. While its statistics are old, it reads all neighbours of a hub
 * for each pair instead.
 */
export function lineageEdgesStatement(
  { edges }: GraphTables,
  { ends, exceptVia, limitPerPair, withOwners = false, ...scope }: LineageEdgesRequest,
): QueryConfig {
  const between = neighboursText(edges, scope, {
    key: 'n.key::uuid',
    columns: `${FACTS}, aspect, owner_key${withOwners ? ', owner, source' : ''}`,
    times: ['$5', '$6'],
    farRange: ['n.first', 'n.last'],
    perIndex: BY_FAR,
  });
  return {
    name: `lineage-edges-${nameVariant(scope)}-${withOwners ? 'owned-' : ''}${edges}`,
    // The test of truth keeps the server from joining the pairs, for which it would compare each with each.
    text: `select o.near::integer, o.far, ${FACTS}${withOwners ? `, ${OWNER}` : ''}
             from (select n.near, e.*, row_number() over (partition by n.near, e.far order by ${FIRST}) as place
                     from (select key, min(n) as near, min(far collate "C") as first, max(far collate "C") as last
                             from unnest($1::text[], $2::text[]) with ordinality p(key, far, n) group by key) n
                    cross join lateral (${between}) e
                    where ((n.key, e.far) in (select key, far from unnest($1::text[], $2::text[]) p(key, far))) is true
                      and (via is null or via <> all($3::text[]))) o
            where o.place <= $4
            order by o.place`,
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
  const found = new Map<string, LineageEdge[]>();
  for (const row of rows) {
    const edge = toLineageEdge(row, ends[row.near - 1]?.near ?? '');
    const pair = `${edge.near} ${edge.far}`;
    const known = found.get(pair);
    if (known === undefined) found.set(pair, [edge]);
    else known.push(edge);
  }
  return ends.flatMap(({ near, far }) => found.get(`${near} ${far}`) ?? []);
}

/**
 * Builds the statement for one page of neighbours: it finds their urns in the indices, then reads the edges from the first
 * urn of the page to the last one in a single scan of each index.
 */
export function lineagePageStatement(
  { edges }: GraphTables,
  indexVersion: number,
  { urn, start, count, ...scope }: LineagePageRequest,
): QueryConfig {
  const read = { key: '$1::uuid', times: ['$5', '$6'] } as const;
  const urns = neighboursText(edges, scope, { ...read, columns: '' });
  const ends = neighboursText(edges, scope, {
    ...read,
    columns: `${FACTS}, aspect, owner_key`,
    farRange: ['(select min(far) from page)', '(select max(far) from page)'],
    perIndex: BY_FAR,
  });
  return {
    name: `lineage-page-${nameVariant(scope)}-${edges}`,
    text: `with neighbour as materialized (select distinct far from (${urns}) u),
                page as materialized (select far from neighbour order by far offset $2 limit $3)
           select t.total, p.position, e.far, ${FACTS}
             from (select count(*) as total from neighbour) t
            cross join ${positionText('$4')} p
             left join (select distinct on (far) * from (${ends}) b order by far, ${FIRST}) e on true
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
