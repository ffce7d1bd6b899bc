import type { Statement } from '../database/database';

/** The columns of `change` that form a past version, except the value. */
export const COLUMNS = 'aspect, version, seq, kind, system_metadata, created_ms, actor';

/** Timeseries values are not versions and are not in the index of versions. */
export const VERSIONED = "kind <> 'timeseries'";
/** Selects the row of a version itself, without the restatements of its value. */
export const OWN = `${VERSIONED} and kind <> 'restate'`;

/** Reads a range of an aspect's versions in one direction; leaves out values that exceed the page size ($6). */
function rangeStatement(name: string, direction: 'asc' | 'desc'): Statement {
  return {
    name,
    text: `with found as materialized (
             select ${COLUMNS}, coalesce(octet_length(value), 0) as bytes from change
              where urn = $1 and aspect = $2 and version between $3 and $4 and ${OWN}
              order by version ${direction} limit $5
           ), sized as (
             select *, sum(bytes) over (order by version ${direction}) - bytes >= $6::bigint as left_out from found
           )
           select s.*, c.value from sized s
             left join lateral (select value from change
                                 where urn = $1 and aspect = s.aspect and version = s.version and ${OWN}
                                   and not s.left_out limit 1) c on true
            order by s.version ${direction}`,
  };
}

export const OLDEST_FIRST = rangeStatement('versions-oldest-first', 'asc');
export const NEWEST_FIRST = rangeStatement('versions-newest-first', 'desc');

/** Reads a range of an aspect's versions in one direction, without their values. */
function bareRangeStatement(name: string, direction: 'asc' | 'desc'): Statement {
  return {
    name,
    text: `select ${COLUMNS}, null as value, false as left_out from change
            where urn = $1 and aspect = $2 and version between $3 and $4 and ${OWN}
            order by version ${direction} limit $5`,
  };
}

export const BARE_OLDEST_FIRST = bareRangeStatement('bare-versions-oldest-first', 'asc');
export const BARE_NEWEST_FIRST = bareRangeStatement('bare-versions-newest-first', 'desc');

export const VERSION_BOUNDS: Statement = {
  name: 'version-bounds',
  text: `select (select version from change where urn = $1 and aspect = $2 and ${VERSIONED} order by version limit 1) as oldest,
                (select version from change where urn = $1 and aspect = $2 and ${VERSIONED} order by version desc limit 1) as newest,
                (select upto from aspect_truncation where urn = $1 and aspect = $2) as truncated`,
};

/**
 * Finds, for each aspect of a urn ($1), all or the named ones ($2), the last version before a `seq` ($3) and up to a
 * time ($4): `reached`, 0 for none.
 *
 * Within an aspect, `seq` and time rise with the version, so the statement bisects. That costs a few index probes,
 * whatever the length of the history; versions may be missing in between. It walks the names of the aspects along the
 * same index.
 */
const REACHED = `with recursive names(aspect) as (
    (select aspect from change where urn = $1 and ${VERSIONED} order by aspect limit 1)
    union all
    select (select c.aspect from change c where c.urn = $1 and c.aspect > n.aspect and ${VERSIONED} order by c.aspect limit 1)
      from names n where n.aspect is not null
  ), halving(aspect, low, high) as (
    select n.aspect, 0::bigint, (select version from change
                                  where urn = $1 and aspect = n.aspect and ${OWN} order by version desc limit 1)
      from names n where n.aspect is not null and ($2::text[] is null or n.aspect = any($2::text[]))
    union all
    select h.aspect,
           case when m.seq < $3::bigint and m.created_ms <= $4::bigint then m.version else h.low end,
           case when m.seq < $3::bigint and m.created_ms <= $4::bigint then h.high else h.low + (h.high - h.low + 1) / 2 - 1 end
      from halving h
      left join lateral (select version, seq, created_ms from change
                          where urn = $1 and aspect = h.aspect and ${OWN}
                            and version between h.low + (h.high - h.low + 1) / 2 and h.high
                          order by version limit 1) m on true
     where h.low < h.high
  ), reached as materialized (
    select aspect, low as version from halving where low = high
  )`;

/**
 * Returns one row per aspect with its version at that time. `oldest` shows whether older versions existed before the
 * stored ones.
 */
export const ENTITY_AT: Statement = {
  name: 'entity-at',
  text: `${REACHED}
    select r.aspect, r.version, c.seq, c.kind, c.system_metadata, c.created_ms, c.actor, c.value,
           (select version from change where urn = $1 and aspect = r.aspect and ${VERSIONED} order by version limit 1) as oldest
      from reached r
      left join lateral (select * from change
                          where urn = $1 and aspect = r.aspect and version = r.version and ${OWN} limit 1) c on true
     order by r.aspect`,
};

/** Returns the aspects that had a version at that time, with its number. */
export const VERSIONS_AT: Statement = {
  name: 'versions-at',
  text: `${REACHED} select aspect, version from reached where version > 0`,
};

/**
 * Counts the changes of a urn ($1) by day in a time zone ($5), of aspects ($2) after one version ($3) and up to another ($4). At most $6 changes
 * of each aspect are read.
 */
export const CHANGES_BY_DAY: Statement = {
  name: 'changes-by-day',
  text: `select (extract(epoch from date_trunc('day', to_timestamp(c.created_ms / 1000.0), $5)) * 1000)::bigint as start_ms, count(*)::integer as count
           from unnest($2::text[], $3::bigint[], $4::bigint[]) r(aspect, low, high)
          cross join lateral (select created_ms from change
                               where urn = $1 and aspect = r.aspect and version > r.low and version <= r.high and ${OWN}
                               order by version desc limit $6) c
          group by 1 order by 1`,
};

/** Returns the newest changes, each with the version before it; leaves out values that exceed the page size. */
export const CHANGES: Statement = {
  name: 'changes-of',
  text: `${REACHED}, found as materialized (
      select c.* from reached r
       cross join lateral (select ${COLUMNS}, coalesce(octet_length(value), 0) as bytes from change
                            where urn = $1 and aspect = r.aspect and version <= r.version and ${OWN}
                            order by version desc limit $6) c
       where r.version > 0 and c.created_ms >= $5::bigint
       order by c.seq desc limit $6
    ), paired as (
      select f.*, p.version as previous_version, p.kind as previous_kind,
             f.bytes + coalesce(p.bytes, 0) as all_bytes
        from found f
        left join lateral (select version, kind, octet_length(value) as bytes from change
                            where urn = $1 and aspect = f.aspect and version < f.version and ${OWN}
                            order by version desc limit 1) p on true
    ), sized as (
      select *, sum(all_bytes) over (order by seq desc) - all_bytes >= $7::bigint as left_out from paired
    )
    select s.*, c.value, p.value as previous_value from sized s
      left join lateral (select value from change
                          where urn = $1 and aspect = s.aspect and version = s.version and ${OWN}
                            and not s.left_out limit 1) c on true
      left join lateral (select value from change
                          where urn = $1 and aspect = s.aspect and version = s.previous_version and ${OWN}
                            and not s.left_out limit 1) p on true
     order by s.seq desc`,
};

/** Counts the timeseries values that a marked deletion of a urn ($1) removed; its change names the aspect ($2). */
export const COUNT_TIMESERIES_DELETED_BY: Statement = {
  name: 'timeseries-deleted-by',
  text: `select coalesce(sum(d.value_count), 0) as count
           from change c join timeseries_deletion d on d.partition = c.partition and d.seq = c.seq
          where c.urn = $1 and c.aspect = $2 and c.kind = 'delete' and position($3 in c.system_metadata) > 0`,
};

/** Counts the versions between a marked deletion of a urn ($1) by its key aspect ($2) and the deletion before it. */
export const COUNT_VERSIONS_DELETED_BY: Statement = {
  name: 'deleted-by',
  text: `with deleted as materialized (
      select seq, position($3 in system_metadata) > 0 as marked from change
       where urn = $1 and aspect = $2 and kind = 'delete'
    )
    select count(*)::integer as versions
      from deleted d
      join change c on c.urn = $1 and c.kind = 'upsert' and c.seq < d.seq
       and c.seq > coalesce((select max(seq) from deleted where seq < d.seq), 0)
     where d.marked`,
};
