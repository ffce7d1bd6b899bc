import type { ChangeKind, PartitionSequences, SystemMetadata } from '@stratalog/domain';
import { parseJson } from '@stratalog/json';
import type { FollowedChange } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Statement } from '../database/database';
import { OWN } from './history-statements';

/** Maximum bytes of values per read; the next read returns the rest. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/**
 * Reads the changes of partitions ($1) after a number ($2), at most $3 of each and $4 bytes of values, with the version before each. A
 * timeseries value is stored apart from its change. The size limit cuts off a tail of each partition's changes.
 */
const FOLLOWED: Statement = {
  name: 'followed-changes',
  text: `select partition, seq, urn, aspect, kind, version, value, system_metadata, created_ms, actor, previous_kind, previous_value
           from (select v.*, sum(v.bytes) over (order by v.place, v.partition) - v.bytes as before
                   from (select c.partition, c.seq, c.urn, c.aspect, c.kind, c.version, c.created_ms, c.actor, c.place,
                                coalesce(c.value, t.value) as value, coalesce(t.system_metadata, c.system_metadata) as system_metadata,
                                p.kind as previous_kind, p.value as previous_value,
                                coalesce(octet_length(c.value), octet_length(t.value), 0) + coalesce(octet_length(p.value), 0) as bytes
                           from unnest($1::integer[], $2::bigint[]) r(partition, after)
                          cross join lateral (select x.*, x.seq - r.after as place from change x
                                               where x.partition = r.partition and x.seq > r.after
                                               order by x.seq limit $3) c
                           left join lateral (select value, system_metadata from timeseries_value
                                               where c.kind = 'timeseries' and urn = c.urn and aspect = c.aspect
                                                 and timestamp_ms = c.version and seq = c.seq limit 1) t on true
                           left join lateral (select kind, value from change
                                               where c.kind in ('upsert', 'delete') and urn = c.urn and aspect = c.aspect
                                                 and version < c.version and ${OWN}
                                               order by version desc limit 1) p on true) v) sized
          where before < $4::bigint
          order by partition, seq`,
};

interface FollowedRow {
  readonly partition: number;
  readonly seq: number;
  readonly urn: string;
  readonly aspect: string;
  readonly kind: ChangeKind;
  readonly version: number;
  readonly value: string | null;
  readonly system_metadata: string;
  readonly created_ms: number;
  readonly actor: string;
  readonly previous_kind: 'upsert' | 'delete' | null;
  readonly previous_value: string | null;
}

export async function readFollowedChanges(
  client: PoolClient,
  after: PartitionSequences,
  limit: number,
): Promise<readonly FollowedChange[]> {
  const share = Math.ceil(limit / Math.max(1, after.size));
  const values = [[...after.keys()], [...after.values()], share, MAX_READ_BYTES];
  const { rows } = await client.query<FollowedRow>({ ...FOLLOWED, values });
  return rows.map((row) => ({
    partition: row.partition,
    seq: row.seq,
    urn: row.urn,
    aspectName: row.aspect,
    kind: row.kind,
    version: row.version,
    ...(row.value === null ? {} : { value: row.value }),
    systemMetadata: parseJson(row.system_metadata) as SystemMetadata,
    created: { time: row.created_ms, actor: row.actor },
    ...(row.previous_kind === null ? {} : { previous: toPrevious(row.previous_kind, row.previous_value) }),
  }));
}

function toPrevious(
  kind: 'upsert' | 'delete',
  value: string | null,
): NonNullable<FollowedChange['previous']> {
  return value === null ? { kind } : { kind, value };
}
