import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import {
  Database,
  ChangeNotifier,
  PostgresAspectStore,
  PostgresChangeLog,
  PostgresSearchIndexVersionStore,
  createScratchDatabase,
  type ScratchDatabase,
} from '@stratalog/adapters-postgres';
import { StoredIndexVersions } from '@stratalog/indexing';
import { covers, partitionOf } from '@stratalog/model';
import { systemClock, type AspectStore } from '@stratalog/ports';
import { loadModel, type EntityRegistry } from '@stratalog/registry';
import { indexerStage } from '@stratalog/stages-indexer';
import { datasetUrn, plainBatch, until } from '@stratalog/testkit';

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
    const from = (await store.head()).get(partitionOf(urn, PARTITIONS)) ?? 0;
    const range = { partition: partitionOf(urn, PARTITIONS), from, to: from + 1 };
    const value = `{"description":"version ${from + 1}"}`;
    await store.commit(plainBatch([range], [{ urn, aspectName: 'datasetProperties', value }]));
  };

  it('replaces the old one, and is not behind it', async () => {
    const changes = new ChangeNotifier();
    const store = await PostgresAspectStore.open(database, {
      clock: systemClock,
      partitions: PARTITIONS,
      changes,
    });
    const searchIndexes = new StoredIndexVersions(new PostgresSearchIndexVersionStore(database), systemClock);
    const { storeId, epoch } = store.identity;
    const old = await searchIndexes.create({ storeId, epoch, mapping: 'of an earlier model' });
    await write(store);
    await old.write([], await store.head());
    await searchIndexes.activate(old);

    // Whenever the indexer reads entities, the store changes before the indexer has written them.
    const restless = Object.create(store, {
      readEntities: {
        value: async (urns: readonly string[]) => {
          const entities = await store.readEntities(urns);
          await write(store);
          return entities;
        },
      },
    }) as PostgresAspectStore;
    const open = await indexerStage.open({
      store: restless,
      registry,
      searchIndexes,
      changes: new PostgresChangeLog(database, PARTITIONS, changes),
      onUnindexable: (urn, cause) => {
        throw new Error(urn, { cause });
      },
      compareEveryMs: 3_600_000,
      onNotice: (message, cause) => {
        throw new Error(message, { cause });
      },
    });
    const subscription = open.consumers[0]?.subscription;
    const before = await store.head();
    await subscription?.start();
    try {
      await until(() => subscription?.status().state === 'running');
      const live = await searchIndexes.live();
      expect(live?.name).not.toBe(old.name);
      expect(covers((await live?.position()) ?? new Map(), before)).toBe(true);
    } finally {
      await subscription?.stop();
    }
  });
});
