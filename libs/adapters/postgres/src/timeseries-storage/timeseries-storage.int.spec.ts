import { beforeEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  partitionOf,
  timeseriesValueId,
  type ChangeRecord,
  type PartitionSequences,
} from '@stratalog/domain';
import type {
  RunValuePlace,
  StoreTransaction,
  TimeseriesStorage,
  TimeseriesValuePlace,
} from '@stratalog/ports';
import { datasetUrn, timeseriesBatch, toRange } from '@stratalog/testkit';
import { PostgresChangeRelayStore } from '../change-log/change-relay-store';
import type { Database } from '../database/database';
import { openEmptyStore, type StoreUnderTest } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresTimeseriesStorage } from './timeseries-storage';

interface TimeseriesStorageUnderTest extends StoreUnderTest {
  readonly storage: TimeseriesStorage;
  /** Reads the changes after a position. */
  readonly readChanges: (after: PartitionSequences) => Promise<readonly ChangeRecord[]>;
  readonly within: <T>(work: (transaction: StoreTransaction) => Promise<T>) => Promise<T>;
  /** The same where changes are published, with the published sequences. */
  readonly published: {
    readonly storage: TimeseriesStorage;
    readonly reach: (partition: number, seq: number) => Promise<void>;
  };
}

interface Value {
  readonly urn: string;
  readonly aspectName: string;
  readonly timestampMs: number;
  readonly valueKey: string;
  readonly value: string;
  readonly systemMetadata?: { readonly runId: string };
}

async function open(database: Database): Promise<TimeseriesStorageUnderTest> {
  const opened = await openEmptyStore(database);
  const { changes, clock, store } = opened;
  const { partitions } = store.identity;
  const storageThat = (isPublished: boolean): PostgresTimeseriesStorage =>
    new PostgresTimeseriesStorage(database, { clock, partitions, isPublished });
  return {
    ...opened,
    storage: storageThat(false),
    readChanges: (after) => {
      const places = Array.from({ length: partitions }, (_, each) => [each, after.get(each) ?? 0] as const);
      return new PostgresChangeRelayStore(database, partitions, changes).readChanges(new Map(places), 1_000);
    },
    within: (work) => database.transaction((client) => work(client as unknown as never)),
    published: {
      storage: storageThat(true),
      reach: async (partition, seq) => {
        await database.use((client) =>
          client.query(
            `insert into relay_lease (partition, published) values ($1, $2)
             on conflict (partition) do update set published = excluded.published`,
            [partition, seq],
          ),
        );
      },
    },
  };
}

const SERIES = { urnPrefix: 'urn:li:dataset:', aspectName: 'datasetProfile' };
const ACTOR = 'urn:li:corpuser:operator';
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);

describe('PostgresTimeseriesStorage', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let test: TimeseriesStorageUnderTest;
  const logged = new Map<number, number>();

  beforeEach(async () => {
    test = await open(suite.database);
    test.clock.time = START_MS + 60 * DAY_MS;
    logged.clear();
  });

  const partition = (urn: string): number => partitionOf(urn, test.store.identity.partitions);
  const write = async (urn: string, values: readonly Value[]): Promise<void> => {
    const from = logged.get(partition(urn)) ?? 0;
    logged.set(partition(urn), from + 1);
    const range = toRange(urn, test.store.identity.partitions, from);
    await test.store.commit(timeseriesBatch([range], values));
  };
  const valueAt = (urn: string, day: number, more: Partial<Value> = {}): Value => ({
    urn,
    aspectName: SERIES.aspectName,
    timestampMs: START_MS + day * DAY_MS,
    valueKey: 'k',
    value: `{"day":${String(day)}}`,
    ...more,
  });
  /** The seq of each stored value of the urns, by its identity. */
  const stored = async (
    urns: readonly string[],
    aspectName = SERIES.aspectName,
  ): Promise<
    ReadonlyMap<string, { readonly urn: string; readonly timestampMs: number; readonly seq: number }>
  > => {
    const all = new Map<
      string,
      { readonly urn: string; readonly timestampMs: number; readonly seq: number }
    >();
    for (const urn of urns) {
      const query = { urn, aspectName, within: {}, latestFirst: false, limit: 10_000 };
      const page = await test.store.readTimeseries(query);
      for (const each of page.timeseriesValues) {
        const { timestampMs, seq } = each;
        all.set(timeseriesValueId({ urn, aspectName, timestampMs, valueKey: each.valueKey }), {
          urn,
          timestampMs,
          seq,
        });
      }
    }
    return all;
  };
  const truncate = async (
    endMs: number,
    limit: number,
    position: ReadonlyMap<number, number>,
  ): Promise<number> => {
    let deleted = 0;
    let after: TimeseriesValuePlace | undefined;
    for (;;) {
      const truncation = { ...SERIES, endMs, position, actor: ACTOR };
      const page = await test.within((tx) => test.storage.truncatePage(tx, truncation, { after, limit }));
      deleted += page.deleted;
      if (page.last === undefined) return deleted;
      after = page.last;
    }
  };

  it('counts the values of one aspect of one entity type, the end of the range included', async () => {
    const [one, two] = [datasetUrn('one'), datasetUrn('two')];
    await write(
      one,
      [1, 2, 3].map((day) => valueAt(one, day)),
    );
    await write(
      two,
      [2, 4].map((day) => valueAt(two, day)),
    );
    await write(two, [valueAt(two, 1, { aspectName: 'operation' })]);
    const chart = 'urn:li:chart:(looker,1)';
    await write(chart, [valueAt(chart, 1)]);
    const count = await test.storage.count({ ...SERIES, endMs: START_MS + 2 * DAY_MS });
    expect(count).toEqual({ matching: 3, total: 5, position: await test.store.readPartitionSequences() });
    expect(await test.storage.count({ ...SERIES, aspectName: 'none', endMs: 1 })).toMatchObject({
      matching: 0,
      total: 0,
    });
  });

  it('deletes the counted values page by page, and nothing else', async () => {
    const urns = ['a', 'b', 'c'].map(datasetUrn);
    for (const urn of urns) {
      const keys = ['k', 'l', 'm'].map((valueKey) => valueAt(urn, 2, { valueKey }));
      await write(urn, [...keys, valueAt(urn, -4_000), valueAt(urn, 9)]);
      await write(urn, [valueAt(urn, 2, { aspectName: 'operation' })]);
    }
    const endMs = START_MS + 2 * DAY_MS;
    const { matching, position } = await test.storage.count({ ...SERIES, endMs });
    expect([matching, await truncate(endMs, 2, position)]).toEqual([12, 12]);
    const left = [...(await stored(urns)).values()];
    expect(left.map(({ timestampMs }) => timestampMs)).toEqual(urns.map(() => START_MS + 9 * DAY_MS));
    expect((await stored(urns, 'operation')).size).toBe(3);
    expect(await truncate(endMs, 2, position)).toBe(0);
  });

  it('appends a change with the time range for each aspect that loses values', async () => {
    const [one, two] = [datasetUrn('logged-one'), datasetUrn('logged-two')];
    await write(
      one,
      [1, 2, 5].map((day) => valueAt(one, day)),
    );
    await write(two, [valueAt(two, 2)]);
    const before = await test.store.readPartitionSequences();
    const truncation = { ...SERIES, endMs: START_MS + 3 * DAY_MS, position: before, actor: ACTOR };
    const page = await test.within((tx) => test.storage.truncatePage(tx, truncation, { limit: 10 }));
    expect(page.deleted).toBe(3);
    const deletions = (await test.readChanges(before)).map(
      ({ urn, aspectName, kind, version, timestamps, created }) => ({
        urn,
        aspectName,
        kind,
        version,
        timestamps,
        actor: created.actor,
      }),
    );
    const common = { aspectName: SERIES.aspectName, kind: 'delete', version: 1, actor: ACTOR };
    const at = (day: number): number => START_MS + day * DAY_MS;
    expect(deletions.toSorted((a, b) => (a.urn < b.urn ? -1 : 1))).toEqual([
      { urn: one, ...common, timestamps: { startMs: at(1), endMs: at(2) } },
      { urn: two, ...common, timestamps: { startMs: at(2), endMs: at(2) } },
    ]);
    // The next deletion of the aspect is its next version, and a page without values appends nothing.
    const rest = { ...truncation, endMs: at(9), position: await test.store.readPartitionSequences() };
    const after = await test.store.readPartitionSequences();
    await test.within((tx) => test.storage.truncatePage(tx, rest, { limit: 10 }));
    expect((await test.readChanges(after)).map(({ urn, version }) => [urn, version])).toEqual([[one, 2]]);
    const last = await test.store.readPartitionSequences();
    await test.within((tx) => test.storage.truncatePage(tx, rest, { limit: 10 }));
    expect(await test.store.readPartitionSequences()).toEqual(last);
  });

  it('names the entities that lose their latest value', async () => {
    const [gone, cut] = [datasetUrn('gone'), datasetUrn('cut')];
    const keys = (urn: string) => ['k', 'l'].map((valueKey) => valueAt(urn, 2, { valueKey }));
    await write(gone, [valueAt(gone, -4_000), ...keys(gone)]);
    await write(cut, [...keys(cut), valueAt(cut, 3)]);
    const stale: string[] = [];
    const truncation = {
      ...SERIES,
      endMs: START_MS + 2 * DAY_MS,
      position: await test.store.readPartitionSequences(),
      actor: ACTOR,
    };
    for (let after: TimeseriesValuePlace | undefined; ;) {
      const page = await test.within((tx) => test.storage.truncatePage(tx, truncation, { after, limit: 2 }));
      if (page.last === undefined) break;
      stale.push(...page.stale.map(({ urn }) => urn));
      after = page.last;
    }
    expect(stale).toEqual([gone]);
  });

  it('deletes nothing when its transaction is rolled back', async () => {
    const urn = datasetUrn('kept');
    await write(urn, [valueAt(urn, 1)]);
    const position = await test.store.readPartitionSequences();
    const truncation = { ...SERIES, endMs: START_MS + DAY_MS, position, actor: ACTOR };
    const failing = test.within(async (tx) => {
      expect((await test.storage.truncatePage(tx, truncation, { limit: 5 })).deleted).toBe(1);
      throw new Error('a crash');
    });
    await expect(failing).rejects.toThrow();
    expect((await stored([urn])).size).toBe(1);
  });

  it('deletes what it counted at an instant, while writers add and replace values', async () => {
    const scenario = fc.record({
      seed: fc.array(fc.tuple(fc.nat(3), fc.nat(9)), { minLength: 1, maxLength: 30 }),
      during: fc.array(fc.tuple(fc.nat(3), fc.nat(9)), { maxLength: 30 }),
      endDay: fc.nat(9),
      limit: fc.integer({ min: 1, max: 12 }),
    });
    let round = 0;
    const property = fc.asyncProperty(scenario, async ({ seed, during, endDay, limit }) => {
      const own = String(++round);
      const urns = [0, 1, 2, 3].map((at) => datasetUrn(`${own}-${String(at)}`));
      const series = { ...SERIES, urnPrefix: `urn:li:dataset:(urn:li:dataPlatform:hive,${own}-` };
      const endMs = START_MS + endDay * DAY_MS;
      let written = 0;
      const writeOne = async ([at, day]: readonly [number, number]): Promise<void> => {
        const urn = urns[at] ?? '';
        await write(urn, [valueAt(urn, day, { value: `{"n":${String(++written)}}` })]);
      };
      for (const each of seed) await writeOne(each);
      const writing = (async () => {
        for (const each of during) await writeOne(each);
      })();
      const { matching, total, position } = await test.storage.count({ ...series, endMs });
      let deleted = 0;
      for (let after: TimeseriesValuePlace | undefined; ;) {
        const truncation = { ...series, endMs, position, actor: ACTOR };
        const page = await test.within((tx) => test.storage.truncatePage(tx, truncation, { after, limit }));
        deleted += page.deleted;
        if (page.last === undefined) break;
        after = page.last;
      }
      await writing;
      const left = [...(await stored(urns)).values()];
      // Every value of the instant is gone, and every later one is there.
      const isOld = (each: { readonly urn: string; readonly seq: number }): boolean =>
        each.seq <= (position.get(partition(each.urn)) ?? 0);
      expect(left.filter((each) => isOld(each) && each.timestampMs <= endMs)).toEqual([]);
      expect(total).toBeGreaterThanOrEqual(matching);
      expect(deleted).toBeLessThanOrEqual(matching);
      if (during.length === 0) expect(deleted).toBe(matching);
      const later = await test.storage.count({ ...series, endMs });
      expect(later.matching).toBe(left.filter(({ timestampMs }) => timestampMs <= endMs).length);
    });
    await fc.assert(property, { numRuns: 25 });
  });

  it('counts at one instant, while writers add values', async () => {
    const urns = ['p', 'q', 'r', 's'].map(datasetUrn);
    const endMs = START_MS + 8 * DAY_MS;
    const writing = (async () => {
      for (let day = 0; day < 16; day++) {
        for (const urn of urns) await write(urn, [valueAt(urn, day), valueAt(urn, day, { valueKey: 'l' })]);
      }
      return 'over' as const;
    })();
    const counts = [];
    const now = (): Promise<'writing'> => Promise.resolve('writing');
    while ((await Promise.race([writing, now()])) === 'writing') {
      counts.push(await test.storage.count({ ...SERIES, endMs }));
    }
    await writing;
    const all = [...(await stored(urns)).values()];
    for (const { matching, total, position } of counts) {
      const then = all.filter(({ urn, seq }) => seq <= (position.get(partition(urn)) ?? 0));
      expect([matching, total]).toEqual([
        then.filter(({ timestampMs }) => timestampMs <= endMs).length,
        then.length,
      ]);
    }
    expect(new Set(counts.map(({ total }) => total)).size).toBeGreaterThan(2);
  });

  it('deletes the values that a run wrote last, up to a position', async () => {
    const [one, two] = [datasetUrn('run-one'), datasetUrn('run-two')];
    const ofRun = (runId: string) => ({ systemMetadata: { runId } });
    const days = Array.from({ length: 9 }, (_, day) => day);
    for (const urn of [one, two]) {
      await write(
        urn,
        days.map((day) => valueAt(urn, day, ofRun('mine'))),
      );
      await write(urn, [valueAt(urn, 0, ofRun('other')), valueAt(urn, -4_000, ofRun('mine "quoted"'))]);
      await write(urn, [valueAt(urn, 3, { aspectName: 'operation', ...ofRun('mine') })]);
    }
    const { count, position } = await test.storage.countRun('mine');
    expect([count, (await test.storage.countRun('mine "quoted"')).count]).toEqual([18, 2]);
    await write(one, [valueAt(one, 1, { ...ofRun('mine'), value: '{"day":"later"}' })]);
    await write(two, [valueAt(two, 20, ofRun('other'))]);
    const pages: number[] = [];
    const stale: string[] = [];
    for (let after: RunValuePlace | undefined; ;) {
      const page = await test.within((transaction) =>
        test.storage.deleteRunPage(
          transaction,
          { runId: 'mine', position, actor: ACTOR },
          { after, limit: 5 },
        ),
      );
      if (page.last === undefined) break;
      pages.push(page.deleted);
      stale.push(...page.stale.map(({ urn, aspectName }) => `${urn} ${aspectName}`));
      after = page.last;
    }
    expect(pages.reduce((sum, deleted) => sum + deleted, 0)).toBe(17);
    expect((await stored([one])).size).toBe(3);
    expect((await stored([two])).size).toBe(3);
    expect((await stored([one, two], 'operation')).size).toBe(0);
    // The latest profile of the second dataset is another run's.
    expect(stale.sort()).toEqual([`${one} datasetProfile`, `${one} operation`, `${two} operation`]);
    expect((await test.storage.countRun('mine')).count).toBe(1);
    expect((await test.storage.countRun('none')).count).toBe(0);
  });

  it('knows when the readers of the log have everything up to a position', async () => {
    const urn = datasetUrn('published');
    await write(urn, [valueAt(urn, 1)]);
    const position = await test.store.readPartitionSequences();
    expect(await test.storage.isPublished(position)).toBe(true);
    const { storage, reach } = test.published;
    expect(await storage.isPublished(position)).toBe(false);
    await reach(partition(urn), 1);
    expect(await storage.isPublished(position)).toBe(false);
    await reach(partition(urn), position.get(partition(urn)) ?? 0);
    expect(await storage.isPublished(position)).toBe(true);
  });
});
