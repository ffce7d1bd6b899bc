import type { Truncation } from '@stratalog/ports';
import { bigintArray, textArray } from '../database/binary-arrays';
import type { Statement } from '../database/database';

/**
 * Purges the values of the oldest purgeable versions, at most $6 versions per aspect, and records up to which version.
 *
 * Version numbers, times and log positions rise together. So the purged versions are always a prefix of the remaining
 * ones. The record keeps the index probe as short in a long history as in a young one. A restated value goes with its
 * version.
 *
 * The relay ($7) needs the values that it has not published yet, so they stay. The caller holds the lock of the
 * partition, which keeps rows in place.
 */
export const TRUNCATE_OLD: Statement = {
  name: 'truncate-old',
  text: `with input as materialized (
           select i.*, case when $7::boolean
                            then coalesce((select published from relay_lease l where l.partition = i.partition), 0)
                            else 9223372036854775806 end as published
             from unnest($1::text[], $2::text[], $3::integer[], $4::bigint[], $5::bigint[])
               i(urn, aspect, partition, upto, before_ms)
         ), due as materialized (
           select i.urn, i.aspect, i.partition, coalesce(e.upto, 0) as done, d.upto
             from input i
             left join lateral (select upto from aspect_truncation where urn = i.urn and aspect = i.aspect limit 1) e on true
            cross join lateral (
              select least(max(v.version) filter (where v.kind <> 'restate' and v.created_ms < i.before_ms),
                           min(v.version) filter (where v.seq > i.published) - 1) as upto
                from (select version, kind, created_ms, seq from change
                       where urn = i.urn and aspect = i.aspect and kind <> 'timeseries'
                         and version > coalesce(e.upto, 0) and version <= i.upto
                       order by version fetch first ($6::bigint) rows with ties) v) d
            where d.upto > coalesce(e.upto, 0)
         ), purged as (
           update change set value = null
            where ctid = any (array(
              select c.ctid from due d
               cross join lateral (select ctid from change
                                    where urn = d.urn and aspect = d.aspect and kind <> 'timeseries' and version > d.done and version <= d.upto
                                      and value is not null
                                    order by version limit 1000000) c))
         ), noted as (
           insert into aspect_truncation (urn, aspect, partition, upto, truncated_ms)
           select urn, aspect, partition, upto, $8::bigint from due
           on conflict (urn, aspect) do update set upto = excluded.upto, truncated_ms = excluded.truncated_ms
         )
         select urn, aspect, done + 1 as first, upto as last from due`,
};

export interface TruncateOptions {
  readonly partitionOf: (urn: string) => number;
  /** Maximum number of versions per aspect. */
  readonly limit: number;
  /** True when a relay publishes the changes and may lag behind. */
  readonly isPublished: boolean;
  readonly nowMs: number;
}

/** Builds the parameters of {@link TRUNCATE_OLD}; each aspect may occur once. */
export function truncationParameters(
  truncations: readonly Truncation[],
  { partitionOf, limit, isPublished, nowMs }: TruncateOptions,
): unknown[] {
  return [
    textArray(truncations.map(({ urn }) => urn)),
    textArray(truncations.map(({ aspectName }) => aspectName)),
    truncations.map(({ urn }) => partitionOf(urn)),
    bigintArray(truncations.map(({ upTo }) => upTo)),
    bigintArray(truncations.map(({ beforeMs }) => beforeMs)),
    limit,
    isPublished,
    nowMs,
  ];
}
