import type { Statement } from '../database/database';

/** Locks the store partitions, lowest first: from here to the commit nobody else can number a change in them. */
export const LOCK_PARTITIONS: Statement = {
  name: 'lock-partitions',
  text: `select partition, seq, stamp_ms from store_partition
          where partition = any($1::integer[]) order by partition for update`,
};

/** A current value of more bytes than this is not fetched for comparison, unless it is needed as a whole; its digest is. */
const MAX_COMPARED_BYTES = 16 * 1024;

/** The limits keep each look-up an index probe: a join here would be planned from statistics that a young table has not. */
export const READ_LATEST: Statement = {
  name: 'read-latest',
  text: `select r.n::integer, e.seq, e.deleted, t.version as last_version,
                l.version, l.system_metadata, l.observed, l.created_ms, l.actor, l.aspect_created_ms, l.aspect_created_by,
                case when r.whole or octet_length(l.value) <= ${String(MAX_COMPARED_BYTES)} then l.value end as value,
                case when not r.whole and octet_length(l.value) > ${String(MAX_COMPARED_BYTES)}
                     then encode(sha256(convert_to(l.value, 'UTF8')), 'hex') end as digest
           from unnest($1::text[], $2::text[], $3::boolean[]) with ordinality r(urn, aspect, whole, n)
          cross join lateral (select seq, deleted from entity where urn = r.urn limit 1) e
           left join lateral (select * from aspect_latest where urn = r.urn and aspect = r.aspect limit 1) l on true
           left join lateral (select version from change
                               where l.version is null and urn = r.urn and aspect = r.aspect and kind <> 'timeseries'
                               order by version desc limit 1) t on true`,
};

/** The last number of every aspect that an entity ever had, and whether it has the aspect now. */
export const READ_WHOLE: Statement = {
  name: 'read-whole',
  text: `select c.urn, c.aspect, c.version,
                exists (select from aspect_latest l where l.urn = c.urn and l.aspect = c.aspect) as present
           from (select urn, aspect, max(version) as version from change
                  where urn = any($1::text[]) and kind <> 'timeseries' group by urn, aspect) c`,
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
export const FOLLOW_REFERENCES: Statement = {
  name: 'look-onwards',
  text: `with recursive looked as (
           select l.urn, l.aspect, r.follow_field, l.value, 1 as hop
             from json_to_recordset($1::json) r(urn text, aspect text, follow_field text)
            cross join lateral (select urn, aspect, value from aspect_latest
                                 where urn = r.urn and aspect = r.aspect limit 1) l
           union all
           select n.urn, n.aspect, s.follow_field, n.value, s.hop + 1
             from looked s
            cross join lateral (select urn, aspect, value from aspect_latest
                                 where urn = s.value::json ->> s.follow_field and aspect = s.aspect limit 1) n
            where s.hop < 32
         )
         select distinct urn, aspect, value from looked`,
};

/**
 * Appends changes; values marked as their aspect's last in the batch become its latest value, the urn's last its seq. What is not
 * there any more was removed before.
 */
export const WRITE_CHANGES: Statement = {
  name: 'write-changes',
  text: `with input as materialized (
           select * from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[],
                                $8::bigint[], $9::text[], $10::boolean[], $11::boolean[], $12::text[], $13::boolean[],
                                $14::bigint[], $15::text[], $16::text[])
             i(partition, seq, urn, aspect, version, value, system_metadata, created_ms, actor, latest, last_of_urn, kind,
               deleted, aspect_created_ms, aspect_created_by, run_id)
         ), appended as (
           insert into change (partition, seq, urn, aspect, kind, version, value, system_metadata, created_ms, actor)
           select partition, seq, urn, aspect, kind, version, value, system_metadata, created_ms, actor from input
         ), entities as (
           insert into entity (urn, seq, deleted) select urn, seq, deleted from input where last_of_urn
           on conflict (urn) do update set seq = excluded.seq, deleted = excluded.deleted
         ), latest as (
           insert into aspect_latest (urn, aspect, version, value, system_metadata, observed, created_ms, actor, aspect_created_ms, aspect_created_by,
                                      run_id, run_ms)
           select urn, aspect, version, value, system_metadata, '{}', created_ms, actor, nullif(aspect_created_ms, 0), aspect_created_by,
                  run_id, case when run_id is not null then created_ms end
             from input where latest
           on conflict (urn, aspect) do update set
             version = excluded.version, value = excluded.value, system_metadata = excluded.system_metadata,
             observed = excluded.observed, created_ms = excluded.created_ms, actor = excluded.actor,
             aspect_created_ms = excluded.aspect_created_ms, aspect_created_by = excluded.aspect_created_by, run_id = excluded.run_id, run_ms = excluded.run_ms
         )
         update store_partition p set seq = m.seq, stamp_ms = m.stamp_ms
           from (select partition, max(seq) as seq, max(created_ms) as stamp_ms from input group by partition) m
          where p.partition = m.partition`,
};

/** Takes away the latest values of aspects that are deleted. */
export const REMOVE_LATEST: Statement = {
  name: 'remove-latest',
  text: `delete from aspect_latest l using unnest($1::text[], $2::text[]) r(urn, aspect)
          where l.urn = r.urn and l.aspect = r.aspect`,
};

/** Of an entity that is deleted as a whole nothing is kept but that there was something. */
export const ERASE_VALUES: Statement = {
  name: 'erase-values',
  text: `update change c set value = null from unnest($1::text[], $2::bigint[]) r(urn, upto)
          where c.urn = r.urn and c.seq <= r.upto and c.value is not null and c.kind <> 'timeseries'`,
};

export const WRITE_REFRESHES: Statement = {
  name: 'write-refreshes',
  text: `update aspect_latest l set observed = r.observed
           from unnest($1::text[], $2::text[], $3::text[]) r(urn, aspect, observed)
          where l.urn = r.urn and l.aspect = r.aspect`,
};

export const WRITE_REJECTIONS: Statement = {
  name: 'write-refusals',
  text: `insert into dead_letter (topic, topic_id, partition, log_offset, reason, proposal, bytes, rejected_ms, code)
         select l.topic, l.topic_id, r.*
           from unnest($1::integer[], $2::bigint[], $3::text[], $4::text[], $5::bytea[], $6::bigint[], $7::text[])
                r(partition, log_offset, reason, proposal, bytes, rejected_ms, code)
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
