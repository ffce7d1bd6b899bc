import {
  Database,
  PostgresAspectStore,
  PostgresChangeLog,
  PostgresTimeseriesSource,
  PostgresTimeseriesStatistics,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { IndexFollower, StoredIndexVersions, timeseriesContent } from '@stratalog/indexing';
import { covers } from '@stratalog/domain';
import { stringifyJson, type JsonObject } from '@stratalog/json';
import { systemClock, Notifier } from '@stratalog/concurrency';
import type { IndexVersions, SubscribeToChanges, TimeseriesIndex, TimeseriesSource } from '@stratalog/ports';
import { STATISTICS_FIELDS, timeseriesBatch, toRange, until } from '@stratalog/testkit';
import { openSearchEngine } from '../engine/open-search-engine';
import type { SearchEngine } from '../engine/search-engine';
import { removeIndices, scratchPrefix } from '../engine/test-engines';
import { ElasticsearchTimeseriesIndexVersionStore } from './timeseries-index-version-store';

const PARTITIONS = 4;
const MAPPING = 'fields of the suite';

/** A timeseries value to write. */
export interface WrittenTestValue {
  readonly aspectName: string;
  readonly timestampMs: number;
  readonly valueKey?: string;
  readonly runId?: string;
  readonly members: JsonObject;
}

/** A store on PostgreSQL, and an index of its timeseries values that follows it. */
export class TimeseriesIndexFixture {
  readonly source: PostgresTimeseriesSource;
  readonly statistics: PostgresTimeseriesStatistics;
  readonly indexes: IndexVersions<TimeseriesIndex>;
  readonly notices: string[] = [];
  readonly unindexable: string[] = [];
  private follower: IndexFollower<TimeseriesIndex> | undefined;

  private constructor(
    readonly engine: SearchEngine,
    readonly database: Database,
    readonly store: PostgresAspectStore,
    private readonly scratch: ScratchDatabase,
    private readonly changes: Notifier,
  ) {
    this.source = new PostgresTimeseriesSource(database);
    this.statistics = new PostgresTimeseriesStatistics(database);
    this.indexes = this.openVersions();
  }

  static async open(url: string): Promise<TimeseriesIndexFixture> {
    const scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    const database = await Database.open({ url: scratch.url, poolSize: 6 });
    const changes = new Notifier();
    const store = await PostgresAspectStore.open(database, {
      clock: systemClock,
      partitions: PARTITIONS,
      changes,
    });
    const engine = await openSearchEngine({ url, indexPrefix: scratchPrefix() });
    return new TimeseriesIndexFixture(engine, database, store, scratch, changes);
  }

  readonly mapping = MAPPING;
  readonly fieldsOf = (aspectName: string) =>
    this.aspectNames.includes(aspectName) ? STATISTICS_FIELDS : undefined;
  readonly aspectNames = ['datasetUsageStatistics', 'datasetProfile', 'operation'];

  /** Opens the versions of the index as another process has them. */
  openVersions(): IndexVersions<TimeseriesIndex> {
    return new StoredIndexVersions(new ElasticsearchTimeseriesIndexVersionStore(this.engine), systemClock);
  }

  /** The dependencies of a process that builds and follows the index. */
  followed(source: TimeseriesSource = this.source) {
    const { store, mapping, fieldsOf, aspectNames, indexes } = this;
    return {
      store,
      source,
      mapping,
      fieldsOf,
      aspectNames,
      indexes,
      reader: 'timeseries-indexer',
      indexName: 'timeseries index',
      isOptional: true as const,
      // Each follower compares once, when it begins.
      compareEveryMs: 3_600_000,
      onUnindexable: (urn: string) => this.unindexable.push(urn),
      onNotice: (message: string) => this.notices.push(message),
    };
  }

  /** Starts to follow the store; resolves when a version is live. */
  async follow(source?: TimeseriesSource): Promise<void> {
    const followed = this.followed(source);
    const changes = new PostgresChangeLog(this.database, PARTITIONS, this.changes);
    const subscribe: SubscribeToChanges = (options) =>
      changes.consume(options, (batch) => follower.handle(batch, options));
    const follower = new IndexFollower<TimeseriesIndex>(
      { ...followed, subscribe },
      timeseriesContent(followed),
    );
    this.follower = follower;
    await follower.start();
    await this.caughtUp();
  }

  async stopFollowing(): Promise<void> {
    await this.follower?.stop();
  }

  /** Resolves when the live version includes every write. */
  readonly caughtUp = async (): Promise<void> => {
    const sequences = await this.store.readPartitionSequences();
    await until(async () => {
      const live = await this.indexes.live();
      return live !== undefined && covers(await live.position(), sequences);
    });
  };

  async live(): Promise<TimeseriesIndex> {
    const index = await this.indexes.live();
    if (index === undefined) throw new Error('No version is live');
    return index;
  }

  /** Writes values of one entity, as the next record of its partition. */
  async write(urn: string, values: readonly WrittenTestValue[]): Promise<void> {
    const { partition } = toRange(urn, PARTITIONS, 0);
    const from = await this.readApplied(partition);
    await this.store.commit(
      timeseriesBatch(
        [toRange(urn, PARTITIONS, from)],
        values.map(({ aspectName, timestampMs, valueKey = 'k', runId, members }) => ({
          urn,
          aspectName,
          timestampMs,
          valueKey,
          value: stringifyJson(members),
          ...(runId === undefined ? {} : { systemMetadata: { runId } }),
        })),
      ),
    );
  }

  /** The identity and `seq` of each entry of the live version, of these entities. */
  async listIndexed(urns: readonly string[]): Promise<readonly string[]> {
    const index = await this.live();
    const all: string[] = [];
    for (const urn of urns) {
      const range = { urn, startMs: 0, endMs: Number.MAX_SAFE_INTEGER };
      const entries = await index.listEntries(range, undefined, 1_000);
      all.push(...entries.map(describe));
    }
    return all.sort();
  }

  /** The same of the store. */
  async listStored(urns: readonly string[]): Promise<readonly string[]> {
    const upToUrn = urns.toSorted().at(-1) ?? '';
    const values = await this.source.readRange({
      afterUrn: undefined,
      upToUrn,
      after: undefined,
      limit: 10_000,
    });
    return values
      .filter(({ urn }) => urns.includes(urn))
      .map(describe)
      .sort();
  }

  async close(): Promise<void> {
    await this.stopFollowing();
    await removeIndices(this.engine);
    await this.engine.close();
    await this.database.close();
    await this.scratch.drop();
  }

  private async readApplied(partition: number): Promise<number> {
    const { rows } = await this.database.use((client) =>
      client.query<{ committed_offset: number }>(
        'select committed_offset from log_partition where partition = $1',
        [partition],
      ),
    );
    return rows[0]?.committed_offset ?? 0;
  }
}

function describe({
  urn,
  aspectName,
  timestampMs,
  valueKey,
  seq,
}: {
  readonly urn: string;
  readonly aspectName: string;
  readonly timestampMs: number;
  readonly valueKey: string;
  readonly seq: number;
}): string {
  return [urn, aspectName, timestampMs, valueKey, seq].join(' ');
}
