import {
  UnavailableError,
  type AspectVersion,
  type PartitionSequences,
  type StoredEntity,
  type WriteOutcome,
} from '@stratalog/model';
import {
  measure,
  type AspectRef,
  type AspectStore,
  type Clock,
  type EntityCount,
  type EntityPage,
  type LatestValuePage,
  type LoggedOutcome,
  type LoggedProposal,
  type TimeseriesPage,
  type TimeseriesQuery,
  type TimeseriesRange,
  type StoreIdentity,
  type UrnPage,
  type UrnPageRequest,
  type WriteBatch,
  type WriteSet,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { latestColumns, toStoredAspect, toVersion, type LatestRow, type VersionRow } from './aspect-rows';
import { commitBatch } from './commit-batch';
import { readLiteralPrefix } from './latest-aspects';
import type { Database, Statement } from '../database/database';
import { textArray } from '../database/binary-arrays';
import type { ChangeNotifier } from '../database/change-notifier';
import { TimeseriesPartitions, isStalePartition } from '../timeseries/timeseries-partitions';
import { countTimeseries, readLatestValues, readTimeseriesPage } from '../timeseries/timeseries-rows';

export interface AspectStoreOptions {
  readonly clock: Clock;
  /** Number of partitions of a new store; an existing store keeps its own. */
  readonly partitions: number;
  /** Notified after each commit that wrote a change. */
  readonly changes: ChangeNotifier;
  /**
   * True when a relay publishes the changes. Retention then keeps the values of unpublished changes. Default: false.
   */
  readonly isPublished?: boolean;
}

const READ_ENTITY: Statement = {
  name: 'read-entity',
  text: `select e.seq, e.deleted, l.aspect, ${latestColumns('l')}
           from entity e
           left join aspect_latest l on l.urn = e.urn and ($2::text[] is null or l.aspect = any($2::text[]))
          where e.urn = $1 order by l.aspect`,
};

/** Maximum bytes of values in a page; the next read returns the rest. */
const MAX_PAGE_BYTES = 32 * 1024 * 1024;

/**
 * Sums sizes before it fetches any value: an entity whose predecessors fill the page comes without aspects.
 *
 * The limits keep each lookup an index probe. A join would be planned from statistics and could read the whole table
 * for a page.
 */
const READ_ENTITIES: Statement = {
  name: 'read-entities',
  text: `with sized as materialized (
           select r.urn, e.seq, e.deleted, sum(s.bytes) over (order by r.urn collate "C") - s.bytes >= $2::bigint as left_out
             from unnest($1::text[]) r(urn)
            cross join lateral (select seq, deleted from entity where urn = r.urn limit 1) e
            cross join lateral (select coalesce(sum(octet_length(value)), 0) as bytes
                                  from (select value from aspect_latest
                                         where urn = r.urn and ($3::text[] is null or aspect = any($3::text[])) limit 10000) v) s
         )
         select s.urn, s.seq, s.deleted, s.left_out, l.aspect, ${latestColumns('l')}
           from sized s
           left join lateral (select * from aspect_latest
                               where urn = s.urn and not s.left_out and ($3::text[] is null or aspect = any($3::text[]))
                               limit 10000) l on true
          order by s.urn collate "C", l.aspect`,
};

/** One probe for each urn, and one row in all: nearly all urns are visible. */
/** One scan of the primary key for all urns: a scan for each would take three times as long. */
const FILTER_SOFT_DELETED: Statement = {
  name: 'filter-soft-deleted',
  text: `select urn from aspect_latest
          where urn = any($1::text[]) and aspect = 'status' and value = '{"removed":true}'`,
};

const READ_VERSION: Statement = {
  name: 'read-version',
  text: `select c.version, c.value, c.system_metadata, c.created_ms, c.actor
           from change c
          where c.urn = $1 and c.aspect = $2 and c.kind = 'upsert' and c.value is not null
            and c.version = case when $3::bigint > 0 then $3::bigint
                                 else $3::bigint + 1 + (select n.version from change n
                                                         where n.urn = $1 and n.aspect = $2 and n.kind <> 'timeseries'
                                                         order by n.version desc limit 1) end`,
};

const URNS_WITH: Statement = {
  name: 'urns-with',
  text: `select urn from entity where urn >= $1 and urn < $2 and not deleted order by urn limit $3 offset $4`,
};

const COUNT_URNS: Statement = {
  name: 'count-urns',
  text: `select count(*) as total from entity where urn >= $1 and urn < $2 and not deleted`,
};

/** The bounds restrict a pattern with a literal prefix to that part of the index. */
const COUNT_ASPECTS: Statement = {
  name: 'count-aspects',
  text: `select count(*) as total from aspect_latest
          where urn >= $3 and urn < $4 and aspect = $1 and ($2::text is null or urn like $2)`,
};

const OUTCOMES: Statement = {
  name: 'outcomes',
  text: `select l.applied, f.reason, greatest(e.seq, e.timeseries_seq) as seq
           from unnest($1::integer[], $2::bigint[], $3::text[]) with ordinality r(partition, log_offset, urn, n)
          cross join lateral (select applied, topic_id from log_partition where partition = r.partition limit 1) l
           left join lateral (select reason from dead_letter
                               where topic_id = l.topic_id and partition = r.partition and log_offset = r.log_offset limit 1) f on true
           left join lateral (select seq, timeseries_seq from entity where urn = r.urn limit 1) e on true
          order by r.n`,
};

/** Implements the aspect store on PostgreSQL. `libs/adapters/postgres/README.md` states the lock order. */
export class PostgresAspectStore implements AspectStore {
  private readonly partitions: TimeseriesPartitions;

  private constructor(
    private readonly database: Database,
    private readonly options: AspectStoreOptions,
    private readonly own: StoreIdentity,
  ) {
    this.partitions = new TimeseriesPartitions(database, options.clock);
  }

  /** Opens the store; creates its identity and partitions if it is new. */
  static async open(database: Database, options: AspectStoreOptions): Promise<PostgresAspectStore> {
    const own = await database.transaction(async (client) => {
      await client.query(
        `insert into store_identity (store_id, epoch, partitions)
         values (replace(gen_random_uuid()::text, '-', ''), 1, $1) on conflict do nothing`,
        [options.partitions],
      );
      const { rows } = await client.query<{ store_id: string; epoch: number; partitions: number }>(
        'select store_id, epoch, partitions from store_identity',
      );
      const row = rows[0];
      if (row === undefined) throw new UnavailableError('The store has no identity');
      for (const table of ['store_partition', 'log_partition']) {
        await client.query(
          `insert into ${table} (partition) select generate_series(0, $1::integer - 1) on conflict do nothing`,
          [row.partitions],
        );
      }
      return { storeId: row.store_id, epoch: row.epoch, partitions: row.partitions };
    });
    return new PostgresAspectStore(database, options, own);
  }

  get identity(): StoreIdentity {
    return this.own;
  }

  async commit(batch: WriteBatch): Promise<readonly WriteOutcome[]> {
    const { timeseriesValues = [] } = batch;
    if (timeseriesValues.length > 0)
      await this.partitions.prepare(timeseriesValues.map(({ timestampMs }) => timestampMs));
    const beganAt = performance.now();
    const written = await this.database.use((client) => this.commitOn(client, batch));
    measure('commit', {
      proposals: written.outcomes.length,
      seconds: (performance.now() - beganAt) / 1_000,
    });
    if (written.changes.length > 0) this.options.changes.notify();
    return written.outcomes;
  }

  /**
   * Commits, and retries when a month's partition was attached while the batch waited to write to the default
   * partition.
   *
   * Each month is attached once, so there are at most as many retries as timeseries values.
   */
  private async commitOn(client: PoolClient, batch: WriteBatch): Promise<WriteSet> {
    const { clock, isPublished = false } = this.options;
    const context = { clock, partitions: this.own.partitions, isPublished };
    for (let left = batch.timeseriesValues?.length ?? 0; ; left--) {
      try {
        return await commitBatch(client, batch, context);
      } catch (error) {
        if (left === 0 || !isStalePartition(error)) throw error;
      }
    }
  }

  readTimeseries(query: TimeseriesQuery): Promise<TimeseriesPage> {
    return readTimeseriesPage(this.database, query);
  }

  readLatestValues(aspects: readonly AspectRef[]): Promise<LatestValuePage> {
    return readLatestValues(this.database, aspects);
  }

  countTimeseries(range: TimeseriesRange): Promise<number> {
    return countTimeseries(this.database, range);
  }

  async readEntity(urn: string, aspectNames?: readonly string[]): Promise<StoredEntity | undefined> {
    const rows = await this.select<EntityRow>(READ_ENTITY, [urn, aspectNames ?? null]);
    const first = rows[0];
    return first === undefined ? undefined : requireEntityType(urn, first, rows);
  }

  async readEntities(urns: readonly string[], aspectNames?: readonly string[]): Promise<EntityPage> {
    const rows = await this.select<EntityRow & { readonly urn: string; readonly left_out: boolean }>(
      READ_ENTITIES,
      [urns, MAX_PAGE_BYTES, aspectNames ?? null],
    );
    const byUrn = new Map<string, EntityRow[]>();
    const rest: string[] = [];
    for (const row of rows) {
      const known = byUrn.get(row.urn);
      if (row.left_out) rest.push(row.urn);
      else if (known === undefined) byUrn.set(row.urn, [row]);
      else known.push(row);
    }
    const entities = [...byUrn].flatMap(([urn, own]) =>
      own.slice(0, 1).map((row) => requireEntityType(urn, row, own)),
    );
    return { entities, rest };
  }

  async filterSoftDeleted(urns: readonly string[]): Promise<readonly string[]> {
    const rows = await this.select<{ readonly urn: string }>(FILTER_SOFT_DELETED, [textArray(urns)]);
    return rows.map(({ urn }) => urn);
  }

  async readVersion(urn: string, aspectName: string, version: number): Promise<AspectVersion | undefined> {
    const rows = await this.select<VersionRow>(READ_VERSION, [urn, aspectName, version]);
    return rows[0] === undefined ? undefined : toVersion(rows[0]);
  }

  async head(): Promise<PartitionSequences> {
    const rows = await this.select<{ partition: number; seq: number }>(
      { name: 'head', text: 'select partition, seq from store_partition where seq > 0' },
      [],
    );
    return new Map(rows.map(({ partition, seq }) => [partition, seq]));
  }

  async urnsAfter(after: string | undefined, limit: number): Promise<readonly string[]> {
    const rows = await this.select<{ urn: string }>(
      { name: 'urns-after', text: 'select urn from entity where urn > $1 order by urn limit $2' },
      [after ?? '', limit],
    );
    return rows.map(({ urn }) => urn);
  }

  async urnsWith({ prefix, start, count }: UrnPageRequest): Promise<UrnPage> {
    const range = [prefix, afterPrefix(prefix)];
    const [counted] = await this.search<{ total: number }>(COUNT_URNS, range);
    const rows = await this.search<{ urn: string }>(URNS_WITH, [...range, count, start]);
    return { urns: rows.map(({ urn }) => urn), total: counted?.total ?? 0 };
  }

  async countEntities(): Promise<readonly EntityCount[]> {
    const rows = await this.select<{ type: string; deleted: boolean; total: number }>(
      {
        name: 'count-entities',
        text: `select split_part(urn, ':', 3) as type, deleted, count(*) as total from entity group by 1, 2`,
      },
      [],
    );
    return rows.map(({ type, deleted, total }) => ({ entityType: type, isDeleted: deleted, count: total }));
  }

  async countAspects(aspectName: string, urnLike?: string): Promise<number> {
    const prefix = readLiteralPrefix(urnLike ?? '%');
    const values = [aspectName, urnLike ?? null, prefix, afterPrefix(prefix)];
    const [counted] = await this.search<{ total: number }>(COUNT_ASPECTS, values);
    return counted?.total ?? 0;
  }

  async readOutcomes(proposals: readonly LoggedProposal[]): Promise<readonly LoggedOutcome[]> {
    const values = [
      proposals.map(({ position }) => position.partition),
      proposals.map(({ position }) => position.offset),
      proposals.map(({ urn }) => urn),
    ];
    const { rows } = await this.database.use((client) => client.query<OutcomeRow>({ ...OUTCOMES, values }));
    return proposals.map((proposal, at) => toOutcome(proposal, rows[at]));
  }

  private select<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.database.read(async (client) => (await client.query<Row>({ ...statement, values })).rows);
  }

  /** Runs a statement that may read any number of rows. */
  private search<Row extends object>(statement: Statement, values: unknown[]): Promise<Row[]> {
    return this.database.search(async (client) => (await client.query<Row>({ ...statement, values })).rows);
  }
}

/** A row of the entity statements. The aspect columns are null when the entity has none of the requested aspects. */
interface EntityRow extends LatestRow {
  readonly seq: number;
  readonly deleted: boolean;
  readonly aspect: string | null;
}

interface OutcomeRow {
  readonly applied: number;
  readonly reason: string | null;
  readonly seq: number | null;
}

function toOutcome({ position }: LoggedProposal, row: OutcomeRow | undefined): LoggedOutcome {
  if (row === undefined || row.applied < position.offset) return { kind: 'pending' };
  if (row.reason !== null) return { kind: 'rejected', reason: row.reason };
  return { kind: 'applied', seq: row.seq ?? 0 };
}

function requireEntityType(
  urn: string,
  { seq, deleted }: EntityRow,
  rows: readonly EntityRow[],
): StoredEntity {
  const aspects = rows.flatMap((row) => (row.aspect === null ? [] : [toStoredAspect(row.aspect, row)]));
  return { urn, seq, deleted, aspects };
}

/** An upper bound for all texts with this prefix: no character in UTF-8 sorts after this one. */
function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
