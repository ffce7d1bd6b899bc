import type { Statement } from './database';

/** Locks the log partitions of a batch, lowest first, so that two writers can never wait for each other. */
export const LOCK_LOG: Statement = {
  name: 'lock-log',
  text: `select partition, head, applied from log_partition
          where partition = any($1::integer[]) order by partition for update`,
};

/** Locks the store partitions, lowest first: from here to the commit nobody else can number a change in them. */
export const LOCK_PARTITIONS: Statement = {
  name: 'lock-partitions',
  text: `select partition, seq, stamp_ms from store_partition
          where partition = any($1::integer[]) order by partition for update`,
};

/** A current value of more bytes than this is not fetched for comparison; its digest is. */
export const MAX_COMPARED_BYTES = 16 * 1024;

/** The limits keep each look-up an index probe: a join here would be planned from statistics that a young table has not. */
export const READ_LATEST: Statement = {
  name: 'read-latest',
  text: `select r.n::integer, e.seq, l.version, l.system_metadata, l.observed, l.created_ms, l.actor,
                case when octet_length(l.value) <= ${String(MAX_COMPARED_BYTES)} then l.value end as value,
                case when octet_length(l.value) > ${String(MAX_COMPARED_BYTES)}
                     then encode(sha256(convert_to(l.value, 'UTF8')), 'hex') end as digest
           from unnest($1::text[], $2::text[]) with ordinality r(urn, aspect, n)
          cross join lateral (select seq from entity where urn = r.urn limit 1) e
           left join lateral (select version, value, system_metadata, observed, created_ms, actor
                                from aspect_latest where urn = r.urn and aspect = r.aspect limit 1) l on true`,
};

/**
 * Without a lock: what is read is what was committed by now. As JSON, because of one or two array elements the server would think that planning
 * anew each time pays.
 */
export const LOOK: Statement = {
  name: 'look',
  text: `select l.urn, l.aspect, l.value
           from json_to_recordset($1::json) r(urn text, aspect text)
          cross join lateral (select urn, aspect, value from aspect_latest
                               where urn = r.urn and aspect = r.aspect limit 1) l`,
};

/**
 * The same from entity to entity, by the member of the value that names the next urn. Hops are counted, because chains may lead back into
 * themselves. Slower than a plain look, so it is for chains only.
 */
export const LOOK_ONWARDS: Statement = {
  name: 'look-onwards',
  text: `with recursive looked as (
           select l.urn, l.aspect, r.onwards, l.value, 1 as hop
             from json_to_recordset($1::json) r(urn text, aspect text, onwards text)
            cross join lateral (select urn, aspect, value from aspect_latest
                                 where urn = r.urn and aspect = r.aspect limit 1) l
           union all
           select n.urn, n.aspect, s.onwards, n.value, s.hop + 1
             from looked s
            cross join lateral (select urn, aspect, value from aspect_latest
                                 where urn = s.value::json ->> s.onwards and aspect = s.aspect limit 1) n
            where s.hop < 32
         )
         select distinct urn, aspect, value from looked`,
};

/** Appends changes; those marked as their aspect's last in the batch become its latest value, the urn's last its seq. */
export const WRITE_CHANGES: Statement = {
  name: 'write-changes',
  text: `with input as materialized (
           select * from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
                                $8::bigint[], $9::text[], $10::boolean[], $11::boolean[])
             i(partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor, latest, last_of_urn)
         ), appended as (
           insert into change (partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor)
           select partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor from input
         ), entities as (
           insert into entity (urn, seq) select urn, seq from input where last_of_urn
           on conflict (urn) do update set seq = excluded.seq
         ), latest as (
           insert into aspect_latest (urn, aspect, version, value, system_metadata, observed, created_ms, actor)
           select urn, aspect, version, value, system_metadata, '{}', created_ms, actor from input where latest
           on conflict (urn, aspect) do update set
             version = excluded.version, value = excluded.value, system_metadata = excluded.system_metadata,
             observed = excluded.observed, created_ms = excluded.created_ms, actor = excluded.actor
         )
         update store_partition p set seq = m.seq, stamp_ms = m.stamp_ms
           from (select partition, max(seq) as seq, max(created_ms) as stamp_ms from input group by partition) m
          where p.partition = m.partition`,
};

export const WRITE_REFRESHES: Statement = {
  name: 'write-refreshes',
  text: `update aspect_latest l set observed = r.observed
           from unnest($1::text[], $2::text[], $3::text[]) r(urn, aspect, observed)
          where l.urn = r.urn and l.aspect = r.aspect`,
};

export const WRITE_REFUSALS: Statement = {
  name: 'write-refusals',
  text: `insert into refused_proposal (topic, topic_id, partition, log_offset, reason, proposal, bytes, refused_ms, code)
         select l.topic, l.topic_id, r.*
           from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::text[])
                r(partition, log_offset, reason, proposal, bytes, refused_ms, code)
           join log_partition l on l.partition = r.partition`,
};

/** Moves the log offsets; a record that was applied without ever being stored only raises the head. */
export const MOVE_LOG: Statement = {
  name: 'move-log',
  text: `update log_partition l set applied = r.upto, head = greatest(l.head, r.upto)
           from unnest($1::integer[], $2::bigint[]) r(partition, upto)
          where l.partition = r.partition`,
};

export const DROP_APPLIED: Statement = {
  name: 'drop-applied',
  text: `delete from proposal_log p using unnest($1::integer[], $2::bigint[]) r(partition, upto)
          where p.partition = r.partition and p.log_offset <= r.upto`,
};
