import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import {
  Database,
  PostgresAspectStore,
  PostgresChangeLog,
  PostgresSearchIndexVersionStore,
  PostgresTaskStore,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { StoredIndexVersions } from '@stratalog/indexing';
import { covers, partitionOf } from '@stratalog/domain';
import { systemClock, Notifier } from '@stratalog/concurrency';
import type { AspectStore, SearchIndexVersions } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { followSearch } from '@stratalog/stages-indexer';
import { datasetUrn, plainBatch, timeseriesBatch, until } from '@stratalog/testkit';

const PARTITIONS = 2;

describe('a new index under continuous writes', () => {
  let scratch: ScratchDatabase;
  let database: Database;
  let registry: EntityRegistry;

  beforeAll(async () => {
    const folders = [join(import.meta.dirname, '../../../../models')];
    registry = await loadModel({ folders, vendor: 'linkedin', urnNamespace: 'li' });
    scratch = await createScratchDatabase(process.env.STRATALOG_TEST_DATABASE_URL ?? '');
    database = await Database.open({ url: scratch.url, poolSize: 4 });
  });
  afterAll(async () => {
    await database.close();
    await scratch.drop();
  });

  /** Writes one more version of one aspect. */
  const write = async (store: AspectStore): Promise<void> => {
    const urn = datasetUrn('busy');
    const from = (await store.readPartitionSequences()).get(partitionOf(urn, PARTITIONS)) ?? 0;
    const range = { partition: partitionOf(urn, PARTITIONS), from, to: from + 1 };
    const value = `{"description":"version ${from + 1}"}`;
    await store.commit(plainBatch([range], [{ urn, aspectName: 'datasetProperties', value }]));
  };

  const openIndexer = (
    store: PostgresAspectStore,
    { searchIndexes, changes }: { readonly searchIndexes: SearchIndexVersions; readonly changes: Notifier },
  ) => {
    const log = new PostgresChangeLog(database, PARTITIONS, changes);
    const follower: ReturnType<typeof followSearch> = followSearch({
      store,
      registry,
      searchIndexes,
      tasks: new PostgresTaskStore(database),
      popularity: { strength: 'off' },
      subscribe: (options) => log.consume(options, (batch) => follower.handle(batch, options)),
      onUnindexable: (urn, cause) => {
        throw new Error(urn, { cause });
      },
      compareEveryMs: 3_600_000,
      onNotice: (message, cause) => {
        throw new Error(message, { cause });
      },
    });
    return follower;
  };

  it('replaces the old one, and is not behind it', async () => {
    const changes = new Notifier();
    const store = await PostgresAspectStore.open(database, {
      clock: systemClock,
      partitions: PARTITIONS,
      changes,
    });
    const searchIndexes = new StoredIndexVersions(new PostgresSearchIndexVersionStore(database), systemClock);
    const { storeId, epoch } = store.identity;
    const old = await searchIndexes.create({ storeId, epoch, mapping: 'of an earlier model' });
    await write(store);
    await old.write([], await store.readPartitionSequences());
    await searchIndexes.activate(old);

    // Whenever the indexer reads entities, the store changes before the indexer has written them.
    const restless = Object.create(store, {
      readState: {
        value: async (work: Parameters<AspectStore['readState']>[0]) => {
          const read = await store.readState(work);
          await write(store);
          return read;
        },
      },
    }) as PostgresAspectStore;
    const indexer = openIndexer(restless, { searchIndexes, changes });
    const before = await store.readPartitionSequences();
    await indexer.start();
    try {
      await until(() => indexer.status().state === 'running');
      const live = await searchIndexes.live();
      expect(live?.name).not.toBe(old.name);
      expect(covers((await live?.position()) ?? new Map(), before)).toBe(true);
    } finally {
      await indexer.stop();
    }
  });

  it('reads an entity once for timeseries values that are written before it is read', async () => {
    const changes = new Notifier();
    const store = await PostgresAspectStore.open(database, {
      clock: systemClock,
      partitions: PARTITIONS,
      changes,
    });
    const searchIndexes = new StoredIndexVersions(new PostgresSearchIndexVersionStore(database), systemClock);
    const urn = datasetUrn('measured');
    const partition = partitionOf(urn, PARTITIONS);
    const { rows } = await database.use((client) =>
      client.query<{ committed_offset: number }>(
        'select committed_offset from log_partition where partition = $1',
        [partition],
      ),
    );
    let from = rows[0]?.committed_offset ?? 0;
    const measure = (day: number): Promise<unknown> =>
      store.commit(
        timeseriesBatch(
          [{ partition, from, to: ++from }],
          [
            {
              urn,
              aspectName: 'datasetProfile',
              timestampMs: day,
              valueKey: 'k',
              value: `{"rowCount":${String(day)},"timestampMillis":${String(day)}}`,
            },
          ],
        ),
      );
    // The build reads too.
    let reads = 3;
    const busy = Object.create(store, {
      readState: {
        value: async (work: Parameters<AspectStore['readState']>[0]) => {
          if (++reads <= 3) await measure(reads + 1);
          return store.readState(work);
        },
      },
    }) as PostgresAspectStore;
    const indexer = openIndexer(busy, { searchIndexes, changes });
    await indexer.start();
    try {
      await until(() => indexer.status().state === 'running');
      reads = 0;
      await measure(1);
      const live = await searchIndexes.live();
      const hasAll = async () =>
        covers((await live?.position()) ?? new Map(), await store.readPartitionSequences());
      await until(async () => reads > 0 && (await hasAll()));
      expect([reads, from]).toEqual([1, (rows[0]?.committed_offset ?? 0) + 2]);
      const all = { query: { kind: 'all' }, start: 0, count: 10, facets: [], facetLimit: 0 } as const;
      const found = await live?.search({ ...all, entityTypes: ['dataset'] });
      expect(found?.hits.find((hit) => hit.urn === urn)?.values).toMatchObject({ rowCount: [2] });
    } finally {
      await indexer.stop();
    }
  });
});
