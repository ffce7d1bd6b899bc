import { beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOf } from '@stratalog/domain';
import type { AspectHistory, Truncation, RetentionStore } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import type { Database } from '../database/database';
import { PostgresAspectHistory } from '../history/aspect-history';
import { openEmptyStore, type StoreUnderTest } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresRetentionStore } from './retention-store';

interface RetentionStoreUnderTest extends StoreUnderTest {
  readonly history: AspectHistory;
  readonly retention: RetentionStore;
  /** The same, where changes are published, with the published sequences. */
  readonly published: {
    readonly retention: RetentionStore;
    reach: (partition: number, seq: number) => Promise<void>;
  };
}

async function open(database: Database): Promise<RetentionStoreUnderTest> {
  const opened = await openEmptyStore(database);
  const { clock, store } = opened;
  const { partitions } = store.identity;
  const resolveRetention = (isPublished: boolean): PostgresRetentionStore =>
    new PostgresRetentionStore(database, { clock, partitions, isPublished });
  const reach = async (partition: number, seq: number): Promise<void> => {
    await database.use((client) =>
      client.query('insert into relay_lease (partition, published) values ($1, $2)', [partition, seq]),
    );
  };
  return {
    ...opened,
    history: new PostgresAspectHistory(database),
    retention: resolveRetention(false),
    published: { retention: resolveRetention(true), reach },
  };
}

const ANY_TIME = Number.MAX_SAFE_INTEGER;

describe('PostgresRetentionStore', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let test: RetentionStoreUnderTest;
  const logged = new Map<number, number>();
  const urn = datasetUrn('kept');
  const aspectName = 'datasetProperties';

  beforeEach(async () => {
    test = await open(suite.database);
    logged.clear();
  });

  /** Writes one version at each time, all in one commit when `truncation` is given. */
  const write = async (
    times: readonly number[],
    own = urn,
    truncations?: readonly Truncation[],
  ): Promise<void> => {
    const { store, clock } = test;
    for (const time of times) {
      clock.time = time;
      const partition = partitionOf(own, store.identity.partitions);
      const from = logged.get(partition) ?? 0;
      logged.set(partition, from + 1);
      const plain = plainBatch(
        [toRange(own, store.identity.partitions, from)],
        [{ urn: own, aspectName, value: `{"at":${String(time)}}` }],
      );
      await store.commit({
        ...plain,
        decide: (snapshot) => ({
          ...plain.decide(snapshot),
          ...(truncations !== undefined && { truncations }),
        }),
      });
    }
  };
  /** The numbers of the versions that have their values. */
  const kept = async (own = urn): Promise<number[]> => {
    const range = { urn: own, aspectName, from: 1, to: 10_000, newestFirst: false, limit: 1_000 };
    const page = await test.history.listVersions(range);
    return (page?.versions ?? []).flatMap(({ version, value }) => (value === undefined ? [] : [version]));
  };
  const upTo = (last: number, beforeMs = ANY_TIME): Truncation => ({
    urn,
    aspectName,
    upTo: last,
    beforeMs,
  });

  it('walks over the aspects of all entities, with their newest numbers', async () => {
    const names = ['a', 'b', 'c'].map(datasetUrn);
    for (const [index, own] of names.entries()) await write([1, 2, 3].slice(index), own);
    const { retention } = test;
    const all = await retention.aspectsAfter(undefined, 10);
    expect(all).toEqual(names.map((own, index) => ({ urn: own, aspectName, newest: 3 - index })));
    expect(await retention.aspectsAfter(undefined, 2)).toEqual(all.slice(0, 2));
    expect(await retention.aspectsAfter(all[0], 10)).toEqual(all.slice(1));
    expect(await retention.aspectsAfter({ urn: names[1] ?? '', aspectName: '' }, 1)).toEqual([all[1]]);
    expect(await retention.aspectsAfter(all[2], 10)).toEqual([]);
  });

  it('erases by number and by time, notes it, and leaves the versions', async () => {
    await write([1_000, 2_000, 3_000, 4_000, 5_000]);
    const { retention, history, store } = test;
    expect(await retention.truncate([upTo(4, 3_000)])).toEqual([
      { urn, aspectName, from: 1, to: 2, hasMore: true },
    ]);
    expect(await kept()).toEqual([3, 4, 5]);
    expect(await retention.truncate([upTo(3)])).toEqual([
      { urn, aspectName, from: 3, to: 3, hasMore: false },
    ]);
    expect(await retention.truncate([upTo(3)])).toEqual([]);
    const range = { urn, aspectName, from: 1, to: 9, newestFirst: false, limit: 9 };
    expect(await history.listVersions(range)).toMatchObject({ oldest: 1, newest: 5, truncatedUpTo: 3 });
    expect((await history.listVersions(range))?.versions).toHaveLength(5);
    expect(await store.readVersion(urn, aspectName, 3)).toBeUndefined();
    expect(await store.readVersion(urn, aspectName, -1)).toMatchObject({ version: 5 });
  });

  it('erases long histories step by step', async () => {
    await write(Array.from({ length: 130 }, (_, at) => at + 1));
    const { retention } = test;
    const [first] = await retention.truncate([upTo(125)]);
    expect(first).toMatchObject({ from: 1, hasMore: true });
    const [second] = await retention.truncate([upTo(125)]);
    expect(second).toMatchObject({ from: (first?.to ?? 0) + 1, to: 125, hasMore: false });
    expect(await kept()).toEqual([126, 127, 128, 129, 130]);
  });

  it('erases in the commit that makes a history longer, what it has written itself included', async () => {
    await write([1_000, 2_000]);
    await write([3_000], urn, [upTo(2)]);
    expect(await kept()).toEqual([3]);
    await write([4_000], urn, [upTo(3, 3_000)]);
    expect(await kept()).toEqual([3, 4]);
  });

  it('RetentionStore does not overtake the publisher of the changes', async () => {
    await write([1_000, 2_000, 3_000, 4_000]);
    const { retention, reach } = test.published;
    const partition = partitionOf(urn, test.store.identity.partitions);
    expect(await retention.truncate([upTo(3)])).toEqual([]);
    await reach(partition, 2);
    expect(await retention.truncate([upTo(3)])).toMatchObject([{ from: 1, to: 2 }]);
    expect(await kept()).toEqual([3, 4]);
  });

  it('erases alongside writers, and neither waits for the other for ever', async () => {
    const others = Array.from({ length: 8 }, (_, at) => datasetUrn(`busy-${String(at)}`));
    for (const own of others) await write([1, 2, 3], own);
    const truncations = others.map((own) => ({ ...upTo(2), urn: own }));
    const eraseAll = async (): Promise<number> => {
      const erased = await test.retention.truncate([...truncations].reverse());
      return erased.reduce((sum, { from, to }) => sum + to - from + 1, 0);
    };
    const writeAll = async (): Promise<void> => {
      for (const own of others)
        await write(
          [4],
          own,
          truncations.filter((each) => each.urn === own),
        );
    };
    const [first, second] = await Promise.all([eraseAll(), eraseAll(), writeAll()]);
    expect(first + second).toBeLessThanOrEqual(16);
    for (const own of others) expect(await kept(own)).toEqual([3, 4]);
  });

  it('keeps when the last pass ended', async () => {
    const { retention } = test;
    for (const endedMs of [2_000_000, 1_000_000]) {
      await retention.savePass(endedMs);
      expect(await retention.readLastPass()).toBe(endedMs);
    }
  });
});
