import type { Truncation } from '@stratalog/ports';
import { bigintArray, textArray } from '../database/binary-arrays';
import type { Statement } from '../database/database';

/**
 * Takes the values of the oldest versions that may go, $6 versions of an aspect at most, and notes up to which they are gone. Because numbers, times
 * and places in the log rise together, what goes is a beginning of what is left, and the note keeps the probe of the index as short in a long
 * history as in a young one. A value that was said once more goes with its version.
 *
 * Whoever publishes the log ($7) needs what it has not published yet. The partition's lock is held: rows stay where they are read.
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
         ), erased as (
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

export interface EraseOptions {
  readonly partitionOf: (urn: string) => number;
  /** Versions of one aspect at most. */
  readonly limit: number;
  /** Whether changes are published, so that a reader of them may be behind. */
  readonly isPublished: boolean;
  readonly nowMs: number;
}

/** The parameters of {@link TRUNCATE_OLD}; an aspect is named once. */
export function truncationParameters(
  truncations: readonly Truncation[],
  { partitionOf, limit, isPublished, nowMs }: EraseOptions,
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
