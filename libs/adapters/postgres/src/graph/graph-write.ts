import type { EntityEdges, PartitionSequences } from '@stratalog/domain';
import { withoutNul } from '@stratalog/json';
import type { QueryConfig } from 'pg';
import { bigintArray, textArray } from '../database/binary-arrays';
import { moveCheckpointText } from '../index-versions/postgres-index';
import { edgeCount, type EdgePortion, type KeyedEdge } from './edge-portions';
import { ownEdgesText, urnKey, type GraphTables } from './graph-tables';

/** A cached plan outlives the table size that it was made for: a plan for a small table would scan a large one. */
const BEGIN = ['begin', 'set local enable_seqscan = off'] as const;

/**
 * Yields the statements of one transaction that writes entries and moves the checkpoint; each group is sent together.
 *
 * The first statement locks the guard row of each entity and raises it to the entry's `seq`, unless a later one is
 * stored. The others read the state committed before these locks. They touch the edges of an entity only if its guard
 * has the entry's `seq`. Unchanged edges cost no write.
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
  const last = [...(position.size === 0 ? [] : [checkpointStatement(indexVersion, position)]), 'commit'];
  if (entries.length === 0) yield [...BEGIN, ...last];
  else {
    for (const [at, portion] of portions.entries()) {
      const first = at === 0 ? [...BEGIN, guardStatement(tables, entries)] : [];
      const written = portion.edges.length === 0 ? [] : [upsertEdgesStatement(tables, portion.edges)];
      const isLast = at === portions.length - 1;
      yield [...first, deleteEdgesStatement(tables, entries, portion), ...written, ...(isLast ? last : [])];
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
    values: [...entryArrays(entries), entries.map(edgeCount)],
  };
}

/**
 * Deletes the stored edges that the entries no longer contain.
 *
 * It selects rows by `ctid` and compares by grouping. Neither depends on statistics, which could turn a join of two
 * large sets into a nested loop. The guard locks keep the rows in place.
 */
function deleteEdgesStatement(
  { sources, edges }: GraphTables,
  entries: readonly EntityEdges[],
  { fromDigits, toDigits, edges: written }: EdgePortion,
): QueryConfig {
  return {
    name: `delete-edges-${edges}`,
    text: `with compared as materialized (
             select e.ctid as place, e.source_key, e.relationship, e.destination_key, e.owner_key, e.aspect
               from unnest($1::text[], $2::text[], $3::bigint[]) i(urn, key, seq)
              cross join lateral (select from ${sources} where urn = i.urn and seq = i.seq limit 1) g
              cross join lateral (select * from (${ownEdgesText(edges, 'i.key::uuid', 'ctid, *')}) o
                                   where substr(destination_key::text, 20, 4) collate "C" between $4 and $5
                                   limit 100000000) e
              union all
             select null, source_key::uuid, relationship collate "C", destination_key::uuid, owner_key::uuid, aspect collate "C"
               from unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[])
                 d(source_key, relationship, destination_key, owner_key, aspect)
           )
           delete from ${edges} where ctid = any(array(
             select max(place) from compared
              group by source_key, relationship, destination_key, owner_key, aspect having count(place) = count(*)))`,
    values: [...entryArrays(entries), fromDigits, toDigits, ...keyArrays(written)],
  };
}

const FACTS =
  'destination, is_lineage, is_upstream, created_ms, created_actor, updated_ms, updated_actor, properties, via';

function upsertEdgesStatement({ sources, edges }: GraphTables, written: readonly KeyedEdge[]): QueryConfig {
  const [facts, excluded] = ['e', 'excluded'].map((table) =>
    FACTS.split(', ')
      .map((column) => `${table}.${column}`)
      .join(', '),
  );
  return {
    name: `upsert-edges-${edges}`,
    text: `insert into ${edges} as e (source_key, relationship, destination_key, owner_key, aspect, owner, source, ${FACTS})
           select source_key::uuid, relationship, destination_key::uuid, owner_key::uuid, aspect, nullif(owner, source), source, ${FACTS}
             from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                         $9::boolean[], $10::boolean[], $11::bigint[], $12::text[], $13::bigint[], $14::text[], $15::text[],
                         $16::text[], $17::bigint[])
               d(source_key, relationship, destination_key, owner_key, aspect, owner, source, ${FACTS}, seq)
            cross join lateral (select from ${sources} where urn = d.owner and seq = d.seq limit 1) g
           on conflict (source_key, relationship, destination_key, owner_key, aspect) do update set (${FACTS}) = row(${String(excluded)})
            where (${String(facts)}) is distinct from (${String(excluded)})`,
    values: [
      ...keyArrays(written),
      textArray(written.map(({ owner }) => owner)),
      textArray(written.map(({ source }) => source)),
      textArray(written.map(({ destination }) => destination)),
      written.map(({ isLineage }) => isLineage),
      written.map(({ isUpstream }) => isUpstream),
      bigintArray(written.map(({ created }) => created.time)),
      textArray(written.map(({ created }) => withoutNul(created.actor))),
      bigintArray(written.map(({ updated }) => updated.time)),
      textArray(written.map(({ updated }) => withoutNul(updated.actor))),
      textArray(
        written.map(({ properties }) => (properties === undefined ? null : JSON.stringify(properties))),
      ),
      textArray(written.map(({ via }) => (via === undefined ? null : withoutNul(via)))),
      bigintArray(written.map(({ seq }) => seq)),
    ],
  };
}

function checkpointStatement(indexVersion: number, position: PartitionSequences): QueryConfig {
  return {
    name: 'move-graph-position',
    text: moveCheckpointText('graph', ['$1', '$2', '$3']),
    values: [indexVersion, [...position.keys()], [...position.values()]],
  };
}

function entryArrays(entries: readonly EntityEdges[]): unknown[] {
  return [
    textArray(entries.map(({ urn }) => urn)),
    textArray(entries.map(({ urn }) => urnKey(urn))),
    bigintArray(entries.map(({ seq }) => seq)),
  ];
}

function keyArrays(written: readonly KeyedEdge[]): unknown[] {
  return [
    textArray(written.map(({ sourceKey }) => sourceKey)),
    textArray(written.map(({ relationship }) => relationship)),
    textArray(written.map(({ destinationKey }) => destinationKey)),
    textArray(written.map(({ ownerKey }) => ownerKey)),
    textArray(written.map(({ aspectName }) => aspectName)),
  ];
}
