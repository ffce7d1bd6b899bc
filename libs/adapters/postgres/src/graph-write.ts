import type { Edge, EntityEdges, PartitionOffsets } from '@stratalog/model';
import type { QueryConfig } from 'pg';
import { bigintArray, textArray } from './binary-arrays';
import { urnKey, type GraphTables } from './graph-tables';

interface KeyedEdge extends Edge {
  readonly seq: number;
  readonly aspectName: string;
  readonly sourceKey: string;
}

/**
 * The statements of one transaction that writes entries and moves the position.
 *
 * The first takes the guard row of each entity and raises it to the entry's `seq`, unless a later one is there. The others see what
 * was committed before those rows were theirs, and touch edges of entities only whose guard stands where the entry put it. Edges
 * that stay as they are cost no write.
 */
export function writeStatements(
  tables: GraphTables,
  generation: number,
  entries: readonly EntityEdges[],
  position: PartitionOffsets,
): readonly QueryConfig[] {
  const moved = position.size === 0 ? [] : [positionStatement(generation, position)];
  if (entries.length === 0) return moved;
  const edges = entries.flatMap(keyedEdges);
  const drawn = edges.length === 0 ? [] : [drawStatement(tables, edges)];
  return [guardStatement(tables, entries, edges), eraseStatement(tables, entries, edges), ...drawn, ...moved];
}

function keyedEdges({ urn, seq, sets }: EntityEdges): readonly KeyedEdge[] {
  const sourceKey = urnKey(urn);
  return sets.flatMap(({ aspectName, edges }) =>
    edges.map((edge) => ({ ...edge, seq, aspectName, sourceKey })),
  );
}

function guardStatement(
  { sources }: GraphTables,
  entries: readonly EntityEdges[],
  edges: readonly KeyedEdge[],
): QueryConfig {
  const counts = new Map<string, number>();
  for (const { source } of edges) counts.set(source, (counts.get(source) ?? 0) + 1);
  return {
    name: `guard-${sources}`,
    text: `insert into ${sources} as s (urn, key, seq, edges)
           select urn, key::uuid, seq, edges
             from unnest($1::text[], $2::text[], $3::bigint[], $4::integer[]) i(urn, key, seq, edges)
            order by urn collate "C"
           on conflict (urn) do update set seq = excluded.seq, edges = excluded.edges where s.seq <= excluded.seq`,
    values: [...entriesOf(entries), entries.map(({ urn }) => counts.get(urn) ?? 0)],
  };
}

/** Rows are removed by their place: the plan does not depend on statistics then. The guards keep them where they are. */
function eraseStatement(
  { sources, edges }: GraphTables,
  entries: readonly EntityEdges[],
  drawn: readonly KeyedEdge[],
): QueryConfig {
  return {
    name: `erase-${edges}`,
    text: `with stored as materialized (
             select e.ctid as place, e.source_key, e.relationship, e.destination_key, e.aspect
               from unnest($1::text[], $2::text[], $3::bigint[]) i(urn, key, seq)
              cross join lateral (select from ${sources} where urn = i.urn and seq = i.seq limit 1) g
              cross join lateral (select ctid, * from ${edges}
                                   where source_key = i.key::uuid limit 100000000) e
           ), drawn as materialized (
             select source_key::uuid, relationship, destination_key::uuid, aspect
               from unnest($4::text[], $5::text[], $6::text[], $7::text[])
                 d(source_key, relationship, destination_key, aspect)
           )
           delete from ${edges} where ctid = any(array(
             select place from stored s
              where not exists (select from drawn d
                                 where d.source_key = s.source_key and d.relationship = s.relationship
                                   and d.destination_key = s.destination_key and d.aspect = s.aspect)))`,
    values: [...entriesOf(entries), ...keysOf(drawn)],
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

function positionStatement(generation: number, position: PartitionOffsets): QueryConfig {
  return {
    name: 'move-graph-position',
    text: `insert into graph_position as p (generation, partition, seq)
           select $1::integer, partition, seq from unnest($2::integer[], $3::bigint[]) i(partition, seq) order by partition
           on conflict (generation, partition) do update set seq = greatest(p.seq, excluded.seq)`,
    values: [generation, [...position.keys()], [...position.values()]],
  };
}

function entriesOf(entries: readonly EntityEdges[]): unknown[] {
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
    textArray(drawn.map(({ destination }) => urnKey(destination))),
    textArray(drawn.map(({ aspectName }) => aspectName)),
  ];
}

/** No text of the database can hold the character; an actor that a model reads from any text may. */
function withoutNul(text: string): string {
  return text.replaceAll('\u0000', '\ufffd');
}
