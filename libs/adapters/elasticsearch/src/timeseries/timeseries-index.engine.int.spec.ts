import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PostgresTimeseriesStorage } from '@stratalog/adapters-postgres';
import { IndexedStatistics, restoreTimeseries } from '@stratalog/indexing';
import { systemClock } from '@stratalog/concurrency';
import type { StoreTransaction, TimeseriesStatisticsQuery } from '@stratalog/ports';
import {
  anyQuery,
  anyTime,
  anyWholeMembers,
  datasetUrn,
  timeseriesStatisticsContract,
  until,
} from '@stratalog/testkit';
import fc from 'fast-check';
import { ENGINES } from '../engine/test-engines';
import { TimeseriesIndexFixture } from './timeseries-index.fixture';

const SEED = 20_261_123;
const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);
const PREFIX = 'urn:li:dataset:';
const ACTOR = 'urn:li:corpuser:operator';

/** Runs on each available server, with a store on PostgreSQL. */
describe.each(ENGINES)('the index of timeseries values in $name', ({ url }) => {
  let fixture: TimeseriesIndexFixture;
  let fromIndex = 0;

  beforeAll(async () => {
    fixture = await TimeseriesIndexFixture.open(url);
    await fixture.follow();
  });
  afterAll(() => fixture.close());

  timeseriesStatisticsContract(
    () => {
      const { store, indexes, mapping, fieldsOf, statistics: stored, caughtUp } = fixture;
      const counting = {
        live: async () => {
          const index = await indexes.live();
          if (index === undefined) return undefined;
          return Object.assign(Object.create(index) as typeof index, {
            aggregate: async (query: TimeseriesStatisticsQuery) => {
              const result = await index.aggregate(query);
              if (result !== undefined) fromIndex++;
              return result;
            },
          });
        },
      };
      const statistics = new IndexedStatistics({ store, mapping, fieldsOf, stored, indexes: counting });
      return Promise.resolve({ store, statistics, caughtUp });
    },
    { share: 0.2 },
  );

  it('answered a part of the contract itself', () => {
    expect(fromIndex).toBeGreaterThan(5);
  });

  it('computes any table as the store does, or leaves it to the store', async () => {
    const urns = ['w1', 'w2', 'w3', 'W4'].map(datasetUrn);
    const samples = fc.sample(fc.tuple(fc.constantFrom(...urns), anyTime, anyWholeMembers), {
      numRuns: 300,
      seed: SEED,
    });
    for (const urn of urns) {
      await fixture.write(
        urn,
        samples
          .filter(([own]) => own === urn)
          .map(([, timestampMs, members], at) => ({
            aspectName: 'operation',
            timestampMs,
            valueKey: String(at),
            members: { timestampMillis: timestampMs, ...members },
          })),
      );
    }
    await fixture.caughtUp();
    const index = await fixture.live();
    const top = fc.option(
      fc.record({
        size: fc.integer({ min: 1, max: 4 }),
        byMetric: fc.constant(false),
        isDescending: fc.boolean(),
      }),
      { nil: undefined },
    );
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(anyQuery(PREFIX, 'operation', urns), top, async (query, first) => {
        const asked = query.groups.length === 0 ? query : { ...query, top: first };
        const result = await index.aggregate(asked);
        if (result === undefined) return;
        answered++;
        expect(result).toEqual(await fixture.statistics.aggregate(asked));
      }),
      { numRuns: 100, seed: SEED },
    );
    expect(answered).toBeGreaterThan(20);
  });

  it('follows writes, replacements and deletions', async () => {
    const urns = ['f1', 'f2'].map(datasetUrn);
    const [one = '', two = ''] = urns;
    const valueAt = (day: number, more: object = {}) => ({
      aspectName: 'datasetProfile',
      timestampMs: START_MS + day * DAY_MS,
      members: { number: day },
      ...more,
    });
    await fixture.write(
      one,
      [1, 2, 3].map((day) => valueAt(day)),
    );
    await fixture.write(two, [
      valueAt(1),
      valueAt(1, { valueKey: 'l' }),
      valueAt(2, { aspectName: 'operation' }),
    ]);
    await fixture.write(one, [valueAt(2, { members: { number: 7 } })]);
    await fixture.caughtUp();
    expect(await fixture.listStored(urns)).toHaveLength(6);
    expect(await fixture.listIndexed(urns)).toEqual(await fixture.listStored(urns));

    const storage = new PostgresTimeseriesStorage(fixture.database, {
      clock: systemClock,
      partitions: fixture.store.identity.partitions,
      isPublished: false,
    });
    const within = <T>(work: (transaction: StoreTransaction) => Promise<T>): Promise<T> =>
      fixture.database.transaction((client) => work(client as unknown as StoreTransaction));
    const position = await fixture.store.readPartitionSequences();
    const series = { urnPrefix: PREFIX, aspectName: 'datasetProfile' };
    const truncation = { ...series, endMs: START_MS + DAY_MS, position, actor: ACTOR };
    const truncated = await within((tx) => storage.truncatePage(tx, truncation, { limit: 100 }));
    expect(truncated.deleted).toBe(3);
    await fixture.caughtUp();
    expect(await fixture.listIndexed(urns)).toEqual(await fixture.listStored(urns));

    await fixture.write(two, [
      valueAt(5, { runId: 'mine' }),
      valueAt(6, { runId: 'other' }),
      valueAt(7, { runId: 'mine' }),
    ]);
    await fixture.caughtUp();
    expect(await fixture.listIndexed([two])).toHaveLength(4);
    const run = { runId: 'mine', position: await fixture.store.readPartitionSequences(), actor: ACTOR };
    expect((await within((tx) => storage.deleteRunPage(tx, run, { limit: 100 }))).deleted).toBe(2);
    await fixture.caughtUp();
    expect(await fixture.listIndexed(urns)).toEqual(await fixture.listStored(urns));
    expect(await fixture.listIndexed([two])).toHaveLength(2);
  });

  const writeTwo = async (urn: string): Promise<void> => {
    const values = [1, 2].map((day) => ({
      aspectName: 'operation',
      timestampMs: START_MS + day * DAY_MS,
      members: {},
    }));
    await fixture.write(urn, values);
    await fixture.caughtUp();
  };

  it('restores the entries of an entity', async () => {
    const urn = datasetUrn('restored');
    await writeTwo(urn);
    // Nothing else mends what is broken here.
    await fixture.stopFollowing();
    const index = await fixture.live();
    const whole = await fixture.listIndexed([urn]);
    const [first] = await index.listEntries(
      { urn, startMs: 0, endMs: Number.MAX_SAFE_INTEGER },
      undefined,
      1,
    );
    if (first === undefined) throw new Error('No entry');
    const ghost = { ...first, timestampMs: START_MS, fields: {}, elements: [], inexact: [] };
    await index.write([ghost]);
    await index.makeVisible();
    expect(await fixture.listIndexed([urn])).toHaveLength(3);
    const { source, fieldsOf } = fixture;
    await restoreTimeseries({ source, fieldsOf, onUnindexable: () => undefined }, index, urn);
    expect(await fixture.listIndexed([urn])).toEqual(whole);
  });

  it('is rebuilt when it has another number of entries than the store has values', async () => {
    const urn = datasetUrn('lacking');
    await fixture.follow();
    await writeTwo(urn);
    await fixture.stopFollowing();
    const before = await fixture.live();
    const entries = await before.listEntries(
      { urn, startMs: 0, endMs: Number.MAX_SAFE_INTEGER },
      undefined,
      1,
    );
    await before.deleteEntries(entries, 0);
    await before.makeVisible();
    await fixture.follow();
    await until(async () => (await fixture.indexes.live())?.name !== before.name);
    await fixture.caughtUp();
    expect(await fixture.listIndexed([urn])).toEqual(await fixture.listStored([urn]));
    expect(fixture.notices.join()).toContain('and is rebuilt');
    expect(fixture.unindexable).toEqual([]);
  });

  it('is rebuilt when one of its indices is gone', async () => {
    const before = await fixture.live();
    const [index = ''] = Object.keys(await fixture.engine.client.indices.get({ index: before.name }));
    await fixture.engine.client.indices.delete({ index });
    await until(async () => {
      const live = await fixture.indexes.live();
      return live !== undefined && live.name !== before.name;
    });
    const urns = ['f1', 'f2', 'lacking'].map(datasetUrn);
    expect(await fixture.listIndexed(urns)).toEqual(await fixture.listStored(urns));
  });

  it('measures the space of each series', async () => {
    const index = await fixture.live();
    const { client } = fixture.engine;
    // Without the merges that would come between the two measurements.
    await client.indices.forcemerge({ index: index.name, max_num_segments: 1 });
    await client.indices.flush({ index: index.name });
    const sizes = await index.measureSizes();
    const listed = await client.cat.indices({ index: index.name, bytes: 'b', format: 'json' });
    const reported = listed.map((each) => Number(each['pri.store.size'])).sort((a, b) => a - b);
    const measured = sizes.map(({ bytes }) => bytes).sort((a, b) => a - b);
    expect(measured).toHaveLength(reported.length);
    for (const [place, bytes] of measured.entries()) {
      expect(Math.abs(bytes / (reported[place] ?? 0) - 1)).toBeLessThan(0.05);
    }
    expect(sizes.map(({ entityType, aspectName }) => `${entityType} ${aspectName}`).sort()).toEqual([
      'dataset datasetProfile',
      'dataset datasetUsageStatistics',
      'dataset operation',
    ]);
    for (const { bytes } of sizes) expect(bytes).toBeGreaterThan(1_000);
  });
});
