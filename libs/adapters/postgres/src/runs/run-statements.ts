import type { Statement } from '../database/database';

/**
 * True for an aspect (`l`) unless its entity is soft-deleted: an aspect ($1) matches a regular expression ($2).
 *
 * It is a scalar subquery, because an `exists` would be planned from statistics and could read the whole table.
 */
const VISIBLE = `($1::text is null or (select true from aspect_latest s
                                        where s.urn = l.urn and s.aspect = $1 and s.value ~ $2::text limit 1) is null)`;

/** The run that restated an aspect (`alias`) last, when that is another than the one that wrote it; else null. */
function confirmedBy(alias: string): string {
  return `nullif((${alias}.observed::json ->> 'runId'), ${alias}.run_id)`;
}

/** True for an aspect (`l`) that a rollback keeps. `keys`: names of key aspects, or null. */
function isKept(keys: string): string {
  return `(${confirmedBy('l')} is not null and
             (${keys}::text[] is null or (select true from aspect_latest k
                                           where k.urn = l.urn and k.aspect = any(${keys}::text[]) and k.run_id = l.run_id
                                             and ${confirmedBy('k')} is null limit 1) is null))`;
}

/**
 * Lists runs with one index probe each: the last write of a run is at the end of its part of the index.
 *
 * It sorts them before it checks visibility, so that it reads the aspects of only as many runs as the page needs.
 */
export const RUNS: Statement = {
  name: 'runs',
  text: `with recursive runs(run_id, run_ms) as (
           (select run_id, run_ms from aspect_latest where run_id is not null order by run_id desc, run_ms desc limit 1)
           union all
           select n.run_id, n.run_ms
             from runs r
            cross join lateral (select run_id, run_ms from aspect_latest where run_id < r.run_id
                                 order by run_id desc, run_ms desc limit 1) n
         ), shown as materialized (
           select run_id, run_ms
             from (select run_id, run_ms from runs order by run_ms desc, run_id offset 0) r
            where $1::text is null or (select true from aspect_latest l where l.run_id = r.run_id and ${VISIBLE} limit 1)
            order by run_ms desc, run_id
           offset $3 limit $4
         )
         select run_id, run_ms, (select count(*) from aspect_latest l where l.run_id = s.run_id and ${VISIBLE}) as aspects
           from shown s
          order by run_ms desc, run_id`,
};

export const COUNT_RUN: Statement = {
  name: 'count-run',
  text: `select count(*) as aspects, count(*) filter (where is_key) as keys,
                count(distinct urn) filter (where not is_kept) as entities, coalesce(max(run_ms), 0) as last_ms,
                count(*) filter (where is_kept) as kept_aspects, count(*) filter (where is_kept and is_key) as kept_keys
           from (select l.urn, l.run_ms, l.aspect = any($4::text[]) as is_key, ${isKept('$5')} as is_kept
                   from aspect_latest l
                  where l.run_id = $3 and ${VISIBLE}) a`,
};

/** Sums sizes before it fetches any value; returns the first aspect whatever its size. */
export const RUN_ASPECTS: Statement = {
  name: 'run-aspects',
  text: `with found as materialized (
           select l.urn, l.aspect, l.version, l.run_ms, ${confirmedBy('l')} as confirmed_by,
                  case when $12::boolean then octet_length(l.value) else 0 end as bytes
             from aspect_latest l
            where l.run_id = $3 and l.run_ms between $4::bigint and $5::bigint
              and (l.run_ms, l.urn, l.aspect) > ($4::bigint, $6::text, $7::text)
              and ($8::text[] is null or (l.aspect = any($8::text[])) = $9::boolean)
              and ${VISIBLE}
              and ($14::boolean is null or ${isKept('$15')} = $14::boolean)
            order by l.run_ms, l.urn, l.aspect
           offset $10 limit $11
         ), sized as (
           select *, sum(bytes) over (order by run_ms, urn, aspect) - bytes >= $13::bigint as left_out from found
         )
         select f.urn, f.aspect, f.version, f.run_ms, f.confirmed_by, v.value
           from sized f
           left join lateral (select value from aspect_latest where urn = f.urn and aspect = f.aspect and $12::boolean limit 1) v on true
          where not f.left_out and (v.value is not null or not $12::boolean)
          order by f.run_ms, f.urn, f.aspect`,
};

/** The limit keeps each lookup an index probe, as in the statements of a commit. */
export const COUNT_OTHERS: Statement = {
  name: 'count-others',
  text: `select r.urn, o.others
           from unnest($2::text[]) r(urn)
          cross join lateral (select count(*) as others
                                from (select from aspect_latest
                                       where urn = r.urn and (run_id is distinct from $1 or ${confirmedBy('aspect_latest')} is not null)
                                         and aspect <> all($3::text[]) limit 10000) a) o
          where o.others > 0`,
};
