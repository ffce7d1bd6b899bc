import type { EntityEdges, PartitionSequences } from '@stratalog/model';
import type { QueryConfig } from 'pg';
import { bigintArray, textArray } from '../database/binary-arrays';
import { edgeCount, type EdgePortion, type KeyedEdge } from '../edge-portions';
import { urnKey, type GraphTables } from './graph-tables';

/** A plan outlives the size of the tables that it was made for: one from the time when they were small would scan them when they are large. */
const BEGIN = ['begin', 'set local enable_seqscan = off'] as const;

/**
 * The statements of one transaction that writes entries and moves the position. Those that come together are sent together.
 *
 * The first takes the guard row of each entity and raises it to the entry's `seq`, unless a later one is there. The others see what
 * was committed before those rows were theirs, and touch edges of entities only whose guard stands where the entry put it. Edges
 * that stay as they are cost no write.
 */
export function* writeStatements(
  tables: GraphTables,
  indexVersion: number,
  entries: readonly EntityEdges[],
  {
    portions,
    position,
  }: { readonly portions: readonly EdgePortion[]; readonly position: PartitionSequences },
): Generator<readonly (string | QueryConfig)[]> {
  const last = [...(position.size === 0 ? [] : [positionStatement(indexVersion, position)]), 'commit'];
  if (entries.length === 0) yield [...BEGIN, ...last];
  else {
    for (const [at, portion] of portions.entries()) {
      const first = at === 0 ? [...BEGIN, guardStatement(tables, entries)] : [];
      const drawn = portion.edges.length === 0 ? [] : [drawStatement(tables, portion.edges)];
      const isLast = at === portions.length - 1;
      yield [...first, eraseStatement(tables, entries, portion), ...drawn, ...(isLast ? last : [])];
    }
  }
}

function guardStatement({ sources }: GraphTables, entries: readonly EntityEdges[]): QueryConfig {
  return {
    name: `guard-${sources}`,
    text: `insert into ${sources} as s (urn, key, seq, edges)
           select urn, key::uuid, seq, edges
             from unnest($1::text[], $2::text[], $3::bigint[], $4::integer[]) i(urn, key, seq, edges)
            order by urn collate "C"
           on conflict (urn) do update set seq = excluded.seq, edges = excluded.edges where s.seq <= excluded.seq`,
    values: [...toEntries(entries), entries.map(edgeCount)],
  };
}

/**
 * Rows are removed by their place, and compared by grouping: neither depends on statistics, by which a join of two large sets may become one
 * loop in another. The guards keep the rows where they are.
 */
function eraseStatement(
  { sources, edges }: GraphTables,
  entries: readonly EntityEdges[],
  { fromKey, toKey, edges: drawn }: EdgePortion,
): QueryConfig {
  return {
    name: `erase-${edges}`,
    text: `with compared as materialized (
             select e.ctid as place, e.source_key, e.relationship, e.destination_key, e.aspect
               from unnest($1::text[], $2::text[], $3::bigint[]) i(urn, key, seq)
              cross join lateral (select from ${sources} where urn = i.urn and seq = i.seq limit 1) g
              cross join lateral (select ctid, * from ${edges}
                                   where source_key = i.key::uuid and destination_key between $4::uuid and $5::uuid
                                   limit 100000000) e
              union all
             select null, source_key::uuid, relationship collate "C", destination_key::uuid, aspect collate "C"
               from unnest($6::text[], $7::text[], $8::text[], $9::text[])
                 d(source_key, relationship, destination_key, aspect)
           )
           delete from ${edges} where ctid = any(array(
             select max(place) from compared
              group by source_key, relationship, destination_key, aspect having count(place) = count(*)))`,
    values: [...toEntries(entries), fromKey, toKey, ...keysOf(drawn)],
  };
}

const FACTS =
  'destination, is_lineage, is_upstream, created_ms, created_actor, updated_ms, updated_actor, properties, via';

function drawStatement({ sources, edges }: GraphTables, drawn: readonly KeyedEdge[]): QueryConfig {
  const [facts, excluded] = ['e', 'excluded'].map((table) =>
    FACTS.split(', ')
      .map((column) => `${table}.${column}`)
      .join(', '),
  );
  return {
    name: `draw-${edges}`,
    text: `insert into ${edges} as e (source_key, relationship, destination_key, aspect, source, ${FACTS})
           select source_key::uuid, relationship, destination_key::uuid, aspect, source, ${FACTS}
             from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[], $8::boolean[],
                         $9::bigint[], $10::text[], $11::bigint[], $12::text[], $13::text[], $14::text[], $15::bigint[])
               d(source_key, relationship, destination_key, aspect, source, ${FACTS}, seq)
            cross join lateral (select from ${sources} where urn = d.source and seq = d.seq limit 1) g
           on conflict (source_key, relationship, destination_key, aspect) do update set (${FACTS}) = row(${String(excluded)})
            where (${String(facts)}) is distinct from (${String(excluded)})`,
    values: [
      ...keysOf(drawn),
      textArray(drawn.map(({ source }) => source)),
      textArray(drawn.map(({ destination }) => destination)),
      drawn.map(({ isLineage }) => isLineage),
      drawn.map(({ isUpstream }) => isUpstream),
      bigintArray(drawn.map(({ created }) => created.time)),
      textArray(drawn.map(({ created }) => withoutNul(created.actor))),
      bigintArray(drawn.map(({ updated }) => updated.time)),
      textArray(drawn.map(({ updated }) => withoutNul(updated.actor))),
      textArray(
        drawn.map(({ properties }) => (properties === undefined ? null : JSON.stringify(properties))),
      ),
      textArray(drawn.map(({ via }) => (via === undefined ? null : withoutNul(via)))),
      bigintArray(drawn.map(({ seq }) => seq)),
    ],
  };
}

function positionStatement(indexVersion: number, position: PartitionSequences): QueryConfig {
  return {
    name: 'move-graph-position',
    text: `insert into graph_checkpoint as p (index_version, partition, seq)
           select $1::integer, partition, seq from unnest($2::integer[], $3::bigint[]) i(partition, seq) order by partition
           on conflict (index_version, partition) do update set seq = greatest(p.seq, excluded.seq)`,
    values: [indexVersion, [...position.keys()], [...position.values()]],
  };
}

function toEntries(entries: readonly EntityEdges[]): unknown[] {
  return [
    textArray(entries.map(({ urn }) => urn)),
    textArray(entries.map(({ urn }) => urnKey(urn))),
    bigintArray(entries.map(({ seq }) => seq)),
  ];
}

function keysOf(drawn: readonly KeyedEdge[]): unknown[] {
  return [
    textArray(drawn.map(({ sourceKey }) => sourceKey)),
    textArray(drawn.map(({ relationship }) => relationship)),
    textArray(drawn.map(({ destinationKey }) => destinationKey)),
    textArray(drawn.map(({ aspectName }) => aspectName)),
  ];
}

/** No text of the database can hold the character; an actor that a model reads from any text may. */
function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}
