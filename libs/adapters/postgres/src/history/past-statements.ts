import type { Statement } from '../database/database';
import { COLUMNS, OWN, VERSIONED } from './history-statements';

/**
 * Reads aspects ($1 urns, $2 names) at their versions of a time ($3), by bisection as for one entity; leaves out values
 * that exceed the page size ($4).
 */
export const ASPECTS_AT: Statement = {
  name: 'aspects-at',
  text: `with recursive halving(n, urn, aspect, low, high) as (
      select r.n::integer, r.urn, r.aspect, 0::bigint,
             (select version from change where urn = r.urn and aspect = r.aspect and ${OWN} order by version desc limit 1)
        from unnest($1::text[], $2::text[]) with ordinality r(urn, aspect, n)
      union all
      select h.n, h.urn, h.aspect,
             case when m.created_ms <= $3::bigint then m.version else h.low end,
             case when m.created_ms <= $3::bigint then h.high else h.low + (h.high - h.low + 1) / 2 - 1 end
        from halving h
        left join lateral (select version, created_ms from change
                            where urn = h.urn and aspect = h.aspect and ${OWN}
                              and version between h.low + (h.high - h.low + 1) / 2 and h.high
                            order by version limit 1) m on true
       where h.low < h.high
    ), found as materialized (
      select h.n, h.urn, c.*,
             (select version from change where urn = h.urn and aspect = h.aspect and ${VERSIONED} order by version limit 1) as oldest
        from halving h
        left join lateral (select ${COLUMNS}, coalesce(octet_length(value), 0) as bytes from change
                            where urn = h.urn and aspect = h.aspect and version = h.low and ${OWN} limit 1) c on true
       where h.low = h.high
    ), sized as (
      select *, sum(bytes) over (order by n) - bytes >= $4::bigint as left_out from found
    )
    select s.*, c.value from sized s
      left join lateral (select value from change
                          where urn = s.urn and aspect = s.aspect and version = s.version and ${OWN}
                            and not s.left_out limit 1) c on true
     order by s.n`,
};

/** Finds the last `seq` of each partition up to a time ($1). Times rise with `seq`, so the statement bisects. */
export const POSITION_AT: Statement = {
  name: 'position-at',
  text: `with recursive halving(partition, low, high) as (
      select partition, 0::bigint, seq from store_partition where seq > 0
      union all
      select h.partition,
             case when m.created_ms <= $1::bigint then m.seq else h.low end,
             case when m.created_ms <= $1::bigint then h.high else h.low + (h.high - h.low + 1) / 2 - 1 end
        from halving h
        left join lateral (select seq, created_ms from change
                            where partition = h.partition and seq between h.low + (h.high - h.low + 1) / 2 and h.high
                            order by seq limit 1) m on true
       where h.low < h.high
    )
    select partition, low as seq,
           (select created_ms from change where partition = h.partition order by seq limit 1) as first_ms
      from halving h where low = high`,
};

/** Lists aspects ($3) with changes between two positions that do not begin with their first version. */
export const CHANGED_ASPECTS: Statement = {
  name: 'changed-aspects',
  text: `select urn, aspect as "aspectName"
           from (select c.urn, c.aspect, min(c.version) as version
                   from json_to_recordset($1::json) p(partition integer, after bigint, up_to bigint)
                  cross join lateral (select urn, aspect, version from change
                                       where partition = p.partition and seq > p.after and seq <= p.up_to
                                         and aspect = any($2::text[]) and kind in ('upsert', 'delete')
                                       order by seq limit 100000000) c
                  group by c.urn, c.aspect) m
          where version > 1 order by urn, aspect limit $3`,
};

export const UNWRITTEN: Statement = {
  name: 'unwritten',
  text: `select r.urn, r.aspect as "aspectName"
           from unnest($1::text[], $2::text[]) r(urn, aspect)
          cross join lateral (select created_ms from aspect_latest where urn = r.urn and aspect = r.aspect limit 1) l
          where l.created_ms <= $3::bigint`,
};
