import {
  UnavailableError,
  type AspectVersion,
  type PartitionSequences,
  type StoredEntity,
  type WriteOutcome,
} from '@stratalog/domain';
import { measure, type Notifier } from '@stratalog/concurrency';
import type {
  AspectRef,
  AspectStore,
  Clock,
  EntityCount,
  EntityPage,
  LatestValuePage,
  LoggedOutcome,
  LoggedProposal,
  TimeseriesPage,
  TimeseriesQuery,
  TimeseriesRange,
  StoreIdentity,
  StoreState,
  UrnPage,
  UrnPageRequest,
  WriteBatch,
  WriteSet,
} from '@stratalog/ports';
import type { PoolClient } from 'pg';
import { toVersion, type VersionRow } from './aspect-rows';
import { commitBatch } from './commit-batch';
import { readLiteralPrefix } from './latest-aspects';
import type { Database, Statement } from '../database/database';
import { pipelined } from '../database/pipelined';
import {
  COUNT_ASPECTS,
  COUNT_URNS,
  FILTER_SOFT_DELETED,
  MAX_STATE_BYTES,
  OUTCOMES,
  PARTITION_SEQUENCES,
  READ_ENTITY,
  READ_SIZES,
  READ_VERSION,
  URNS_WITH,
  toOutcome,
  toSequences,
  toStoredEntity,
  type EntityRow,
  type OutcomeRow,
  type SequenceRow,
} from './read-statements';
import { readEntities } from './read-entities';
import { textArray } from '../database/binary-arrays';
import { TimeseriesPartitions, isStalePartition } from '../timeseries/timeseries-partitions';
import { countTimeseries, readLatestValues, readTimeseriesPage } from '../timeseries/timeseries-rows';

export interface AspectStoreOptions {
  readonly clock: Clock;
  /** Number of partitions of a new store; an existing store keeps its own. */
  readonly partitions: number;
  /** Notified after each commit that wrote a change. */
  readonly changes: Notifier;
  /**
   * True when a relay publishes the changes. Retention then keeps the values of unpublished changes. Default: false.
   */
  readonly isPublished?: boolean;
}

/** Implements the aspect store on PostgreSQL. `libs/adapters/postgres/README.md` states the lock order. */
export class PostgresAspectStore implements AspectStore {
  private readonly partitions: TimeseriesPartitions;

  private constructor(
    private readonly database: Database,
    private readonly options: AspectStoreOptions,
    private own: StoreIdentity,
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

  /** Takes the epoch over that `PostgresStoreEpoch` reads. */
  set identity(identity: StoreIdentity) {
    this.own = identity;
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
    return this.database.read((client) => readLatestValues(client, aspects));
  }

  countTimeseries(range: TimeseriesRange): Promise<number> {
    return countTimeseries(this.database, range);
  }

  async readEntity(urn: string, aspectNames?: readonly string[]): Promise<StoredEntity | undefined> {
    const rows = await this.select<EntityRow>(READ_ENTITY, [urn, aspectNames ?? null]);
    const first = rows[0];
    return first === undefined ? undefined : toStoredEntity(urn, first, rows);
  }

  readEntities(urns: readonly string[], aspectNames?: readonly string[]): Promise<EntityPage> {
    return this.database.read((client) => readEntities(client, urns, aspectNames));
  }

  /** The first statement after `begin` takes the snapshot that all others see. */
  readState<T>(work: (state: StoreState) => Promise<T>): Promise<T> {
    return this.database.read(async (client) => {
      const [, { rows }] = await pipelined([
        client.query('begin isolation level repeatable read read only'),
        client.query<SequenceRow>(PARTITION_SEQUENCES),
      ]);
      const result = await work({
        sequences: toSequences(rows),
        readEntities: (urns, aspectNames) => readEntities(client, urns, aspectNames, MAX_STATE_BYTES),
        readLatestValues: (aspects) => readLatestValues(client, aspects),
      });
      await client.query('commit');
      return result;
    });
  }

  async filterSoftDeleted(urns: readonly string[]): Promise<readonly string[]> {
    const rows = await this.select<{ readonly urn: string }>(FILTER_SOFT_DELETED, [textArray(urns)]);
    return rows.map(({ urn }) => urn);
  }

  async readVersion(urn: string, aspectName: string, version: number): Promise<AspectVersion | undefined> {
    const rows = await this.select<VersionRow>(READ_VERSION, [urn, aspectName, version]);
    return rows[0] === undefined ? undefined : toVersion(rows[0]);
  }

  async readPartitionSequences(): Promise<PartitionSequences> {
    return toSequences(await this.select<SequenceRow>(PARTITION_SEQUENCES, []));
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

  async readSizes(aspects: readonly AspectRef[]): Promise<readonly number[]> {
    const values = [aspects.map(({ urn }) => urn), aspects.map(({ aspectName }) => aspectName)];
    const { rows } = await this.database.use((client) =>
      client.query<{ readonly size: number }>({ ...READ_SIZES, values }),
    );
    return rows.map(({ size }) => size);
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

/** An upper bound for all texts with this prefix: no character in UTF-8 sorts after this one. */
function afterPrefix(prefix: string): string {
  return `${prefix}\u{10ffff}`;
}
