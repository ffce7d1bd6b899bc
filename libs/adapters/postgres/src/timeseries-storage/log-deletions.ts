import { aspectKey } from '@stratalog/domain';
import type { AspectRef } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { bigintArray, textArray } from '../database/binary-arrays';
import type { Statement } from '../database/database';

/** A deleted timeseries value. */
interface DeletedValue extends AspectRef {
  readonly partition: number;
  readonly timestampMs: number;
}

/**
 * Appends a change for each aspect that lost values, and notes the range and the number. The caller holds the locks of the
 * partitions.
 */
const LOG_DELETIONS: Statement = {
  name: 'log-timeseries-deletions',
  text: `with input as materialized (
           select i.*, p.seq + row_number() over (partition by i.partition order by i.urn, i.aspect) as seq,
                  greatest(p.stamp_ms, $7::bigint) as stamp_ms,
                  1 + coalesce((select c.version from change c
                                 where c.urn = i.urn and c.aspect = i.aspect and c.kind <> 'timeseries'
                                 order by c.version desc limit 1), 0) as version
             from unnest($1::integer[], $2::text[], $3::text[], $4::bigint[], $5::bigint[], $6::bigint[])
                  i(partition, urn, aspect, start_ms, end_ms, value_count)
             join store_partition p on p.partition = i.partition
         ), appended as (
           insert into change (partition, seq, urn, aspect, kind, version, value, system_metadata, created_ms, actor)
           select partition, seq, urn, aspect, 'delete', version, null, '{}', stamp_ms, $8 from input
         ), noted as (
           insert into timeseries_deletion (partition, seq, start_ms, end_ms, value_count)
           select partition, seq, start_ms, end_ms, value_count from input
         ), entities as (
           update entity e set seq = m.seq
             from (select urn, max(seq) as seq from input group by urn) m where e.urn = m.urn
         )
         update store_partition p set seq = m.seq, stamp_ms = m.stamp_ms
           from (select partition, max(seq) as seq, max(stamp_ms) as stamp_ms from input group by partition) m
          where p.partition = m.partition`,
};

/** Appends the changes of values that were deleted in the same transaction, so that readers of the change log delete them too. */
export async function logDeletions(
  client: PoolClient,
  values: readonly DeletedValue[],
  { actor, nowMs }: { readonly actor: string; readonly nowMs: number },
): Promise<void> {
  const spans = [...groupByAspect(values).values()];
  if (spans.length === 0) return;
  await client.query({
    ...LOG_DELETIONS,
    values: [
      spans.map(({ partition }) => partition),
      textArray(spans.map(({ urn }) => urn)),
      textArray(spans.map(({ aspectName }) => aspectName)),
      bigintArray(spans.map(({ startMs }) => startMs)),
      bigintArray(spans.map(({ endMs }) => endMs)),
      bigintArray(spans.map(({ count }) => count)),
      nowMs,
      actor,
    ],
  });
}

interface DeletedTimeRange extends AspectRef {
  readonly partition: number;
  readonly startMs: number;
  readonly endMs: number;
  readonly count: number;
}

function groupByAspect(values: readonly DeletedValue[]): ReadonlyMap<string, DeletedTimeRange> {
  const spans = new Map<string, DeletedTimeRange>();
  for (const { timestampMs, ...aspect } of values) {
    const key = aspectKey(aspect);
    const known = spans.get(key);
    spans.set(key, {
      ...aspect,
      startMs: Math.min(known?.startMs ?? timestampMs, timestampMs),
      endMs: Math.max(known?.endMs ?? timestampMs, timestampMs),
      count: (known?.count ?? 0) + 1,
    });
  }
  return spans;
}
