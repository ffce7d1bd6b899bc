import type { Statement } from '../database/database';

/** Locks the store partitions in ascending order. Until the commit, no other transaction can assign a `seq` in them. */
export const LOCK_PARTITIONS: Statement = {
  name: 'lock-partitions',
  text: `select partition, seq, stamp_ms from store_partition
          where partition = any($1::integer[]) order by partition for update`,
};

/**
 * Maximum size of a current value that is fetched for comparison; larger values are compared by digest. `whole` lifts
 * the limit. **Units**: bytes.
 */
const MAX_COMPARED_BYTES = 16 * 1024;

/**
 * The limits keep each lookup an index probe: a young table has no statistics, and a join would be planned from them.
 */
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

/** Reads which of the entities lack any of the aspects. */
export const READ_INCOMPLETE: Statement = {
  name: 'read-incomplete',
  text: `select r.urn from unnest($1::text[]) r(urn)
          where (select count(*) from aspect_latest where urn = r.urn and aspect = any($2::text[])) < cardinality($2::text[])`,
};

/** Reads the last version number of every aspect that an entity ever had, and whether the aspect exists now. */
export const READ_WHOLE: Statement = {
  name: 'read-whole',
  text: `select c.urn, c.aspect, c.version,
                exists (select from aspect_latest l where l.urn = c.urn and l.aspect = c.aspect) as present
           from (select urn, aspect, max(version) as version from change
                  where urn = any($1::text[]) and kind <> 'timeseries' group by urn, aspect) c`,
};

/**
 * Reads the latest committed values, without a lock.
 *
 * The references are JSON. With arrays of one or two elements the server would choose to plan the statement at each
 * call.
 */
export const READ_REFERENCES: Statement = {
  name: 'read-references',
  text: `select l.urn, l.aspect, l.value
           from json_to_recordset($1::json) r(urn text, aspect text)
          cross join lateral (select urn, aspect, value from aspect_latest
                               where urn = r.urn and aspect = r.aspect limit 1) l`,
};

/**
 * Follows references from entity to entity, by the field of the value that holds the next urn.
 *
 * It stops after 32 hops, because references may form a cycle. It is slower than `READ_REFERENCES`, so it serves chains
 * only.
 */
export const FOLLOW_REFERENCES: Statement = {
  name: 'follow-references',
  text: `with recursive followed as (
           select l.urn, l.aspect, r.follow_field, l.value, 1 as hop
             from json_to_recordset($1::json) r(urn text, aspect text, follow_field text)
            cross join lateral (select urn, aspect, value from aspect_latest
                                 where urn = r.urn and aspect = r.aspect limit 1) l
           union all
           select n.urn, n.aspect, s.follow_field, n.value, s.hop + 1
             from followed s
            cross join lateral (select urn, aspect, value from aspect_latest
                                 where urn = s.value::json ->> s.follow_field and aspect = s.aspect limit 1) n
            where s.hop < 32
         )
         select distinct urn, aspect, value from followed`,
};

/**
 * Appends changes and updates the latest values and each urn's `seq`.
 *
 * The input marks the last value per aspect and the last change per urn. `REMOVE_LATEST` has run before for deleted
 * aspects.
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

/** Deletes the latest values of deleted aspects. */
export const REMOVE_LATEST: Statement = {
  name: 'remove-latest',
  text: `delete from aspect_latest l using unnest($1::text[], $2::text[]) r(urn, aspect)
          where l.urn = r.urn and l.aspect = r.aspect`,
};

/**
 * Erases the next values of hard-deleted entities, after an aspect and version of each, and at most $5 of each. The rows stay, so that the store
 * remembers that versions existed.
 *
 * It returns the last version of each entity, and how many it has visited: one that has fewer than $5 is done.
 */
export const ERASE_VALUES: Statement = {
  name: 'erase-values',
  text: `with slice as materialized (
           select r.urn, r.upto, c.place, c.aspect, c.version, c.is_due
             from unnest($1::text[], $2::bigint[], $3::text[], $4::bigint[]) r(urn, upto, aspect, version)
            cross join lateral (select ctid as place, aspect, version, seq <= r.upto and value is not null as is_due from change
                                 where urn = r.urn and (aspect, version) > (r.aspect, r.version) and kind <> 'timeseries'
                                 order by aspect, version fetch first ($5::bigint) rows with ties) c
         ), erased as (
           update change set value = null where ctid = any(array(select place from slice where is_due))
         )
         select distinct on (urn) urn, upto, aspect, version, count(*) over (partition by urn) as visited
           from slice order by urn, aspect desc, version desc`,
};

export const WRITE_REFRESHES: Statement = {
  name: 'write-refreshes',
  text: `update aspect_latest l set observed = r.observed
           from unnest($1::text[], $2::text[], $3::text[]) r(urn, aspect, observed)
          where l.urn = r.urn and l.aspect = r.aspect`,
};

/** Moves the log offsets. For a record that was applied without being stored, it also raises the end offset. */
export const MOVE_LOG: Statement = {
  name: 'move-log',
  text: `update log_partition l set committed_offset = r.upto, end_offset = greatest(l.end_offset, r.upto)
           from unnest($1::integer[], $2::bigint[]) r(partition, upto)
          where l.partition = r.partition`,
};

/** Replaces the offsets of the records that are applied ahead of others. */
export const MOVE_AHEAD: Statement = {
  name: 'move-ahead',
  text: `update log_partition l
            set ahead = array(select a.log_offset from unnest($2::integer[], $3::bigint[]) a(partition, log_offset)
                               where a.partition = l.partition order by 1)
          where l.partition = any($1::integer[])`,
};

export const DROP_APPLIED: Statement = {
  name: 'drop-applied',
  text: `delete from proposal_log p using unnest($1::integer[], $2::bigint[]) r(partition, upto)
          where p.partition = r.partition and p.log_offset <= r.upto`,
};
