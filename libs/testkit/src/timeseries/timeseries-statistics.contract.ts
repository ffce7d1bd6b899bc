import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TimeseriesField } from '@stratalog/domain';
import { parseJson, stringifyJson, type JsonObject } from '@stratalog/json';
import type {
  AspectStore,
  TimeseriesFilter,
  TimeseriesStatistics,
  TimeseriesStatisticsQuery,
} from '@stratalog/ports';
import { datasetUrn, timeseriesBatch, toRange } from '../builders';
import { passesFilter, type ParsedTimeseriesValue } from './naive-filter';
import { sortNaively } from './naive-order';
import { computeNaively } from './naive-statistics';
import { ORDER_FIELDS, anyFilter, anyMembers, anyQuery, anyTime } from './random-statistics';

export interface TimeseriesStatisticsUnderTest {
  readonly store: AspectStore;
  readonly statistics: TimeseriesStatistics;
  /** Resolves when the statistics include every write. Absent: they do so at once. */
  readonly caughtUp?: () => Promise<void>;
}

interface Opened extends TimeseriesStatisticsUnderTest {
  /** Records that the suite has written, by partition. */
  readonly logged: Map<number, number>;
}

const SERIES = { urnPrefix: 'urn:li:dataset:', aspectName: 'datasetUsageStatistics' };
const URNS = ['one', 'two', 'three', 'Four'].map(datasetUrn);
const VALUES = 300;
const SEED = 20_241_027;
const COUNT: TimeseriesField = { source: 'element', path: ['users', 'count'], kind: 'number' };
const USER: TimeseriesField = { source: 'element', path: ['users', 'user'], kind: 'text' };
const NUMBER: TimeseriesField = { source: 'value', path: ['number'], kind: 'number' };

/**
 * The contract of every {@link TimeseriesStatistics}, and of filters of timeseries values. `open` returns an empty store. `share`: the
 * part of the random tables to try.
 */
export function timeseriesStatisticsContract(
  open: () => Promise<TimeseriesStatisticsUnderTest>,
  { share = 1 }: { readonly share?: number } = {},
): void {
  describe('TimeseriesStatistics', () => {
    let opened: Opened;
    let stored: readonly ParsedTimeseriesValue[];

    beforeAll(async () => {
      opened = { ...(await open()), logged: new Map() };
      stored = await writeRandomValues(opened);
    });

    const aggregate = (query: Partial<TimeseriesStatisticsQuery>) =>
      opened.statistics.aggregate({ ...SERIES, metrics: [], groups: [], limit: 100, ...query });

    it('computes any table as one value after the other does', async () => {
      await fc.assert(
        fc.asyncProperty(anyQuery(SERIES.urnPrefix, SERIES.aspectName, URNS), async (query) => {
          const { groups, isCut } = await opened.statistics.aggregate(query);
          expect([isCut, groups]).toEqual([false, computeNaively(query, stored)]);
        }),
        { numRuns: 200 * share, seed: SEED },
      );
    });

    it('keeps the first groups by key or by metric', async () => {
      const top = fc.record({
        size: fc.integer({ min: 1, max: 4 }),
        byMetric: fc.boolean(),
        isDescending: fc.boolean(),
      });
      const numbers = { field: COUNT, aggregation: 'sum' as const };
      await fc.assert(
        fc.asyncProperty(anyQuery(SERIES.urnPrefix, SERIES.aspectName, URNS), top, async (query, first) => {
          fc.pre(query.groups.length > 0);
          const isWhole = query.groups.some(
            (group) => group.kind === 'value' && group.field.path[0] === 'tags',
          );
          const metrics = isWhole ? query.metrics : [numbers, ...query.metrics];
          const asked = { ...query, metrics, top: { ...first, byMetric: first.byMetric && !isWhole } };
          expect((await opened.statistics.aggregate(asked)).groups).toEqual(computeNaively(asked, stored));
        }),
        { numRuns: 60 * share, seed: SEED },
      );
    });

    it('says when it cuts a table', async () => {
      const groups = [{ kind: 'value' as const, field: USER }];
      const metrics = [{ field: COUNT, aggregation: 'sum' as const }];
      const whole = await aggregate({ groups, metrics });
      expect(whole.isCut).toBe(false);
      const cut = await aggregate({ groups, metrics, limit: 2 });
      expect(cut).toEqual({ groups: whole.groups.slice(0, 2), isCut: true });
      expect((await aggregate({ groups, metrics, limit: whole.groups.length })).isCut).toBe(false);
    });

    it('answers one row without groups, and none with groups, where nothing is stored', async () => {
      const metrics = (['latest', 'sum', 'cardinality'] as const).map((aggregation) => ({
        field: NUMBER,
        aggregation,
      }));
      const nothing = { aspectName: 'operation', metrics };
      expect((await aggregate(nothing)).groups).toEqual([{ keys: [], values: [undefined, undefined, '0'] }]);
      const groups = [{ kind: 'value' as const, field: NUMBER }];
      expect((await aggregate({ ...nothing, groups })).groups).toEqual([]);
      expect((await aggregate({ metrics, urnPrefix: 'urn:li:chart:', groups })).groups).toEqual([]);
    });

    it('sums whole numbers exactly', async () => {
      const [urn = ''] = URNS;
      await write(opened, urn, [
        { timestampMillis: 1, big: 9_223_372_036_854_775_807n },
        { timestampMillis: 2, big: 9_223_372_036_854_775_807n },
      ]);
      const field = { source: 'value' as const, path: ['big'], kind: 'number' as const };
      const metrics = (['sum', 'latest', 'cardinality'] as const).map((aggregation) => ({
        field,
        aggregation,
      }));
      expect((await aggregate({ metrics })).groups).toEqual([
        { keys: [], values: ['18446744073709551614', '9223372036854775807', '1'] },
      ]);
    });

    it('reads a NUL or an unpaired surrogate as the replacement character, and a text that spells one as itself', async () => {
      const [urn = ''] = URNS;
      const texts = ['a\u0000b', 'a\ud800b', 'a\\u0000b', 'a\\\u0000b', 'a\udc00\ud800b', '😀'];
      await write(
        opened,
        urn,
        texts.map((odd, at) => ({ timestampMillis: 3 + at, odd })),
      );
      const field = { source: 'value' as const, path: ['odd'], kind: 'text' as const };
      const groups = [{ kind: 'value' as const, field }];
      const metrics = [{ field, aggregation: 'count' as const }];
      const filter: TimeseriesFilter = [
        [{ field, test: { kind: 'one-of', values: ['a\ud800b'] }, negated: false }],
      ];
      expect((await aggregate({ groups, metrics })).groups).toEqual(
        [
          ['a\\u0000b', '1'],
          ['a\\\ufffdb', '1'],
          ['a\ufffdb', '2'],
          ['a\ufffd\ufffdb', '1'],
          ['😀', '1'],
        ].map(([key = '', count]) => ({ keys: [key], values: [count] })),
      );
      expect((await aggregate({ groups, metrics, filter })).groups).toEqual([
        { keys: ['a\ufffdb'], values: ['2'] },
      ]);
    });

    it('knows time zones by their names', async () => {
      const names = ['UTC', 'utc', 'Europe/Berlin', 'america/new_york', 'Mars/Olympus', "x' or true"];
      const known = await Promise.all(names.map((name) => opened.statistics.knowsTimeZone(name)));
      expect(known).toEqual([true, true, true, true, false, false]);
      const queries = names
        .filter((_, at) => known[at] === true)
        .map((timeZone) => ({
          groups: [{ kind: 'time' as const, unit: 'DAY' as const, multiple: 1, timeZone }],
        }));
      for (const query of queries) expect((await aggregate(query)).isCut).toBe(false);
    });

    it('filters pages of values the same way, in both orders', async () => {
      await fc.assert(
        fc.asyncProperty(anyFilter(URNS), fc.boolean(), async (filter, latestFirst) => {
          const [urn = ''] = URNS;
          const expected = stored
            .filter((value) => value.urn === urn && passesFilter(filter, value))
            .map(({ timestampMs }) => timestampMs)
            .toSorted((a, b) => (latestFirst ? b - a : a - b));
          expect(await readTimes(opened, { urn, filter, latestFirst })).toEqual(expected);
        }),
        { numRuns: 100 * share, seed: SEED },
      );
    });

    it('orders values by any field, absent ones last, the newest first among equals', async () => {
      const [urn = ''] = URNS;
      const own = await readAll(opened, urn);
      for (const field of ORDER_FIELDS) {
        for (const isDescending of [true, false]) {
          const { aspectName } = SERIES;
          const query = { urn, aspectName, within: {}, latestFirst: true, sort: { field, isDescending } };
          const page = await opened.store.readTimeseries({ ...query, limit: VALUES });
          const times = page.timeseriesValues.map(({ timestampMs }) => timestampMs);
          expect(times).toEqual(sortNaively(field, isDescending, own));
          const first = await opened.store.readTimeseries({ ...query, limit: 3 });
          expect([first.hasMore, first.timeseriesValues]).toEqual([true, page.timeseriesValues.slice(0, 3)]);
        }
      }
    });
  });
}

/** Reads the timestamps of all values after 1970 that pass, in small pages. */
async function readTimes(
  { store }: Opened,
  query: {
    readonly urn: string;
    readonly filter: TimeseriesFilter | undefined;
    readonly latestFirst: boolean;
  },
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let after; ;) {
    const { aspectName } = SERIES;
    const page = await store.readTimeseries({
      ...query,
      aspectName,
      within: { startMs: 1_000 },
      after,
      limit: 7,
    });
    times.push(...page.timeseriesValues.map(({ timestampMs }) => timestampMs));
    if (!page.hasMore) return times;
    after = page.timeseriesValues.at(-1);
  }
}

async function writeRandomValues(opened: Opened): Promise<readonly ParsedTimeseriesValue[]> {
  const samples = fc.sample(fc.tuple(fc.constantFrom(...URNS), anyTime, anyMembers), {
    numRuns: VALUES,
    seed: SEED,
  });
  const values = new Map(
    samples.map(([urn, timestampMillis, members]) => [
      `${urn} ${String(timestampMillis)}`,
      { urn, members: { timestampMillis, ...members } },
    ]),
  );
  const stored: ParsedTimeseriesValue[] = [];
  for (const urn of URNS) {
    const own = [...values.values()].filter((each) => each.urn === urn).map(({ members }) => members);
    await write(opened, urn, own);
    stored.push(...(await readAll(opened, urn)));
  }
  return stored;
}

/** Writes values of one entity, as the next record of its partition. */
async function write(
  { store, logged, caughtUp }: Opened,
  urn: string,
  values: readonly JsonObject[],
): Promise<void> {
  const { partitions } = store.identity;
  const { partition } = toRange(urn, partitions, 0);
  const from = logged.get(partition) ?? 0;
  logged.set(partition, from + 1);
  const { aspectName } = SERIES;
  await store.commit(
    timeseriesBatch(
      [toRange(urn, partitions, from)],
      values.map((members) => ({
        urn,
        aspectName,
        timestampMs: Number(members.timestampMillis),
        valueKey: 'k',
        value: stringifyJson(members),
      })),
    ),
  );
  await caughtUp?.();
}

/** Stores know run ids and the exact text, so the oracle reads them back. */
async function readAll({ store }: Opened, urn: string): Promise<readonly ParsedTimeseriesValue[]> {
  const page = await store.readTimeseries({
    urn,
    aspectName: SERIES.aspectName,
    within: {},
    latestFirst: true,
    limit: VALUES,
  });
  return page.timeseriesValues.map(({ timestampMs, value, systemMetadata }) => ({
    urn,
    timestampMs,
    members: parseJson(value) as JsonObject,
    systemMetadata: parseJson(systemMetadata) as JsonObject,
  }));
}
