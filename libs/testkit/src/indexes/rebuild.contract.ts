import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { IndexFollower, StoredIndexVersions, entityContent } from '@stratalog/indexing';
import { covers, type PartitionSequences, type StoredEntity } from '@stratalog/domain';
import { systemClock } from '@stratalog/concurrency';
import type {
  AspectStore,
  ChangeLog,
  DerivedIndex,
  IndexVersions,
  IndexVersionStore,
  SubscribeToChanges,
} from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '../builders';
import { until } from '../until';

export interface RebuildUnderTest<Index> {
  /** An empty store. */
  readonly store: AspectStore;
  readonly changes: ChangeLog;
  /** Opens the versions of its index as another process has them. */
  readonly openVersions: () => IndexVersionStore<Index>;
}

const ENTITIES = 40;
const REBUILDS = 3;

/** The contract of a rebuild that an operator requests, as readers see it. `ask` returns the position of an answer of an index. */
export function rebuildContract<Entry extends { readonly urn: string }, Index extends DerivedIndex<Entry>>(
  open: () => Promise<RebuildUnderTest<Index>>,
  toEntry: (entity: StoredEntity) => Entry,
  ask: (index: Index) => Promise<PartitionSequences>,
): void {
  describe('a requested rebuild under constant writes', () => {
    let test: RebuildUnderTest<Index>;
    let followers: IndexFollower<Index>[];
    let writing: Promise<void>;
    let isOver: boolean;

    beforeEach(async () => {
      test = await open();
      isOver = false;
      writing = write();
      followers = [];
    });
    afterEach(async () => {
      isOver = true;
      await writing;
      for (const follower of followers) await follower.stop();
    });

    const write = async (): Promise<void> => {
      const { store } = test;
      const { partitions } = store.identity;
      const logged = new Map<number, number>();
      for (let at = 0; !isOver; at++) {
        const urn = datasetUrn(String(at % ENTITIES));
        const { partition } = toRange(urn, partitions, 0);
        const from = logged.get(partition) ?? 0;
        logged.set(partition, from + 1);
        const value = JSON.stringify(String(at));
        const writes = [{ urn, aspectName: 'datasetProperties', value }];
        await store.commit(plainBatch([toRange(urn, partitions, from)], writes));
      }
    };
    const openVersions = (): IndexVersions<Index> =>
      new StoredIndexVersions(test.openVersions(), systemClock);
    /** A process that follows the index. */
    const follow = async (indexes: IndexVersions<Index>): Promise<void> => {
      const deps = {
        store: test.store,
        indexes,
        indexName: 'index',
        reader: 'indexer',
        mapping: 'm',
        compareEveryMs: 3_600_000,
        onNotice: () => undefined,
        onUnindexable: (urn: string, cause: unknown) => {
          throw new Error(urn, { cause });
        },
        affects: () => true,
        hasEntry: () => true,
        project: function* (entity: StoredEntity) {
          yield;
          return toEntry(entity);
        },
      };
      const subscribe: SubscribeToChanges = (options) =>
        test.changes.consume(options, (batch) => follower.handle(batch, options));
      const follower = new IndexFollower<Index>({ ...deps, subscribe }, entityContent<Entry, Index>(deps));
      followers.push(follower);
      await follower.start();
    };
    /** Asks one question after the other until the end, and returns how many answers were older than one before. */
    const readOn = async (indexes: IndexVersions<Index>): Promise<number> => {
      let older = 0;
      let last: PartitionSequences = new Map();
      while (!isOver) {
        const index = await indexes.live();
        if (index === undefined) continue;
        const position = await ask(index);
        if (!covers(position, last)) older++;
        last = position;
      }
      return older;
    };

    it('sends no reader back in time, in whichever process', async () => {
      const own = openVersions();
      await follow(own);
      await follow(openVersions());
      await until(async () => (await own.live()) !== undefined);
      const reading = Promise.all([readOn(own), readOn(openVersions())]);
      const names = new Set<string | undefined>();
      while (names.size < REBUILDS) {
        const before = (await own.state()).live?.name;
        names.add(before);
        await own.requestRebuild();
        await until(async () => {
          const { live } = await own.state();
          return live !== undefined && live.name !== before && !live.isOutdated;
        });
      }
      isOver = true;
      expect(await reading).toEqual([0, 0]);
    });
  });
}
