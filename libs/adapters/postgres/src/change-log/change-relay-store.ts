import {
  type ChangeKind,
  type ChangeRecord,
  type PartitionSequences,
  type SystemMetadata,
  timeRange,
} from '@stratalog/domain';
import { isJsonObject, parseJson } from '@stratalog/json';
import type { Notifier } from '@stratalog/concurrency';
import type { ChangeRelayStore, RelayLease, RelayMove, RelayShare, StoredChange } from '@stratalog/ports';
import type { PoolClient } from 'pg';
import type { Database, Statement } from '../database/database';

const SEEN: Statement = {
  name: 'relay-seen',
  text: `insert into relay_process (owner, seen) values ($1, now())
         on conflict (owner) do update set seen = excluded.seen`,
};

/**
 * Locks all rows in ascending order, so that processes divide the partitions one after another.
 *
 * A lease lasts seconds. One that ends hours from now was written under a wrong clock and counts as expired.
 */
const LOCK_LEASES: Statement = {
  name: 'lock-leases',
  text: `select partition, owner, epoch, published, until not between now() and now() + interval '1 hour' as expired
           from relay_lease order by partition for update`,
};

/** Moves processes that stopped renewing to the list of owners to fence. */
const REMOVE_SILENT: Statement = {
  name: 'forget-silent-relays',
  text: `with silent as (delete from relay_process where seen not between now() - $1 * interval '1 millisecond' and now() + interval '1 hour'
                         returning owner)
         insert into relay_fence (owner) select owner from silent on conflict do nothing`,
};

const TAKE: Statement = {
  name: 'take-leases',
  text: `update relay_lease set owner = $1, until = now() + $3 * interval '1 millisecond',
                epoch = epoch + case when owner = $1 then 0 else 1 end
          where partition = any($2::integer[])
          returning partition, epoch, published`,
};

const GIVE_BACK: Statement = {
  name: 'give-leases-back',
  text: `update relay_lease set owner = '', until = '-infinity'
          where owner = $1 and not (partition = any($2::integer[]))`,
};

const ADVANCE: Statement = {
  name: 'advance-leases',
  text: `update relay_lease l set published = m.upto
           from unnest($2::integer[], $3::bigint[], $4::bigint[], $5::bigint[]) m(partition, epoch, published, upto)
          where l.partition = m.partition and l.owner = $1 and l.epoch = m.epoch and l.published = m.published
          returning l.partition`,
};

/** Maximum bytes of changes per read; the next read returns the rest. */
const MAX_READ_BYTES = 8 * 1024 * 1024;

/**
 * Reads change records.
 *
 * A timeseries value is stored apart from its change; it is joined unless it was replaced since. The size limit cuts
 * off a tail of each partition's changes, because the sum runs over all partitions change by change.
 */
const READ: Statement = {
  name: 'read-change-records',
  text: `select partition, seq, urn, aspect, kind, version, value, system_metadata, created_ms, actor, deleted_timeseries, start_ms, end_ms
           from (select v.*, sum(coalesce(octet_length(v.value), 0)) over (order by v.place, v.partition)
                             - coalesce(octet_length(v.value), 0) as before
                   from (select c.partition, c.seq, c.urn, c.aspect, c.kind, c.version, c.created_ms, c.actor, c.place,
                                coalesce(c.value, p.value) as value, coalesce(p.system_metadata, c.system_metadata) as system_metadata,
                                d.seq is not null as deleted_timeseries, d.start_ms, d.end_ms
                           from unnest($1::integer[], $2::bigint[]) r(partition, after)
                          cross join lateral (select x.*, x.seq - r.after as place from change x
                                               where x.partition = r.partition and x.seq > r.after
                                               order by x.seq limit $3) c
                           left join lateral (select value, system_metadata from timeseries_value
                                               where c.kind = 'timeseries' and urn = c.urn and aspect = c.aspect
                                                 and timestamp_ms = c.version and seq = c.seq limit 1) p on true
                           left join lateral (select seq, start_ms, end_ms from timeseries_deletion
                                               where c.kind = 'delete' and partition = c.partition and seq = c.seq limit 1) d on true) v) sized
          where before < $4::bigint
          order by partition, seq`,
};

const READ_STORED: Statement = {
  name: 'read-stored-changes',
  text: `select r.partition, p.seq as last_seq, c.urn, c.aspect, c.version, c.created_ms
           from unnest($1::integer[], $2::bigint[]) r(partition, seq)
           join store_partition p on p.partition = r.partition
           left join lateral (select urn, aspect, version, created_ms from change
                               where partition = r.partition and seq = r.seq limit 1) c on true`,
};

interface StoredRow {
  readonly partition: number;
  readonly last_seq: number;
  readonly urn: string | null;
  readonly aspect: string | null;
  readonly version: number | null;
  readonly created_ms: number | null;
}

interface LeaseRow extends RelayLease {
  readonly owner: string;
  readonly expired: boolean;
}

interface ChangeRow {
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
  readonly deleted_timeseries: boolean;
  readonly start_ms: number | null;
  readonly end_ms: number | null;
}

/** Stores leases and reads changes for the relay. All times are the server's, so that no process's clock matters. */
export class PostgresChangeRelayStore implements ChangeRelayStore {
  constructor(
    private readonly database: Database,
    private readonly partitions: number,
    private readonly changes: Notifier,
  ) {}

  lease(owner: string, leaseMs: number): Promise<RelayShare> {
    return this.database.transaction(async (client) => {
      await client.query(
        'insert into relay_lease (partition) select generate_series(0, $1::integer - 1) on conflict do nothing',
        [this.partitions],
      );
      const { rows } = await client.query<LeaseRow>(LOCK_LEASES);
      await client.query({ ...SEEN, values: [owner] });
      await client.query({ ...REMOVE_SILENT, values: [leaseMs] });
      const share = Math.ceil(this.partitions / (await countPresent(client)));
      const own = rows.filter((row) => row.owner === owner);
      const free = rows.filter((row) => row.owner !== owner && (row.owner === '' || row.expired));
      const leased = [...own, ...free].slice(0, share).map(({ partition }) => partition);
      await client.query({ ...GIVE_BACK, values: [owner, leased] });
      const taken = await client.query<RelayLease>({ ...TAKE, values: [owner, leased, leaseMs] });
      const unfenced = await client.query<{ owner: string }>('select owner from relay_fence order by owner');
      const [store] = (await client.query<{ epoch: number }>('select epoch from store_identity')).rows;
      return {
        storeEpoch: store?.epoch ?? 0,
        leases: taken.rows,
        unfenced: unfenced.rows.map((row) => row.owner),
      };
    });
  }

  async fenced(owner: string): Promise<void> {
    await this.database.use((client) => client.query('delete from relay_fence where owner = $1', [owner]));
  }

  async readChanges(after: PartitionSequences, limit: number): Promise<readonly ChangeRecord[]> {
    const share = Math.ceil(limit / Math.max(1, after.size));
    const rows = await this.database.use(async (client) => {
      const result = await client.query<ChangeRow>({
        ...READ,
        values: [[...after.keys()], [...after.values()], share, MAX_READ_BYTES],
      });
      return result.rows;
    });
    return rows.map(toChange);
  }

  async advance(owner: string, moves: readonly RelayMove[]): Promise<ReadonlySet<number>> {
    const rows = await this.database.use(async (client) => {
      const result = await client.query<{ partition: number }>({
        ...ADVANCE,
        values: [
          owner,
          moves.map(({ partition }) => partition),
          moves.map(({ epoch }) => epoch),
          moves.map(({ published }) => published),
          moves.map(({ to }) => to),
        ],
      });
      return result.rows;
    });
    return new Set(rows.map(({ partition }) => partition));
  }

  async readStored(seqs: PartitionSequences): Promise<ReadonlyMap<number, StoredChange>> {
    const rows = await this.database.use(async (client) => {
      const values = [[...seqs.keys()], [...seqs.values()]];
      return (await client.query<StoredRow>({ ...READ_STORED, values })).rows;
    });
    return new Map(
      rows.map(({ partition, last_seq: lastSeq, urn, aspect, version, created_ms: createdMs }) => [
        partition,
        urn === null || aspect === null || version === null || createdMs === null
          ? { lastSeq }
          : { lastSeq, urn, aspectName: aspect, version, createdMs },
      ]),
    );
  }

  async published(): Promise<PartitionSequences> {
    const rows = await this.database.use(async (client) => {
      const result = await client.query<{ partition: number; published: number }>(
        'select partition, published from relay_lease',
      );
      return result.rows;
    });
    return new Map(rows.map(({ partition, published }) => [partition, published]));
  }

  async release(owner: string): Promise<void> {
    await this.database.transaction(async (client) => {
      await client.query('delete from relay_process where owner = $1', [owner]);
      await client.query({ ...GIVE_BACK, values: [owner, []] });
    });
  }

  changed(timeoutMs: number, signal: AbortSignal): Promise<void> {
    return this.changes.wait(timeoutMs, signal);
  }
}

/** Counts the processes that renewed recently. */
async function countPresent(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ present: number }>('select count(*) as present from relay_process');
  return rows[0]?.present ?? 1;
}

function toChange(row: ChangeRow): ChangeRecord {
  const { partition, seq, urn, aspect, kind, version, value, system_metadata, created_ms, actor } = row;
  const metadata = parseJson(system_metadata);
  const systemMetadata: SystemMetadata = isJsonObject(metadata) ? metadata : {};
  const created = { time: created_ms, actor };
  return {
    partition,
    seq,
    urn,
    aspectName: aspect,
    kind,
    version,
    ...(value === null ? {} : { value }),
    ...(row.deleted_timeseries ? { timestamps: timeRange(row.start_ms, row.end_ms) } : {}),
    systemMetadata,
    created,
  };
}
