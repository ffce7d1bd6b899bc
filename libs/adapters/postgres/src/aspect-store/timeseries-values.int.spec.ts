import { beforeEach, describe, expect, it } from '@jest/globals';
import type { TimeseriesIdentity, TimeRange } from '@stratalog/domain';
import type {
  AspectStore,
  ReadTimeseriesValue,
  TimeseriesDeletion,
  TimeseriesQuery,
  TimeseriesRange,
  WriteSnapshot,
} from '@stratalog/ports';
import { datasetUrn, plainBatch, timeseriesBatch, toRange } from '@stratalog/testkit';
import { openEmptyStore } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);

describe('PostgresAspectStore of timeseries values', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let store: AspectStore;
  const urn = datasetUrn('measured');
  const aspectName = 'datasetProfile';
  let written: number;

  beforeEach(async () => {
    const opened = await openEmptyStore(suite.database);
    ({ store } = opened);
    opened.clock.time = START_MS + 60 * DAY_MS;
    written = 0;
  });

  const range = (each = urn) => toRange(each, store.identity.partitions, written++);
  const write = (
    ...timeseriesValues: readonly (TimeseriesIdentity & { readonly value: string })[]
  ): Promise<unknown> =>
    store.commit(
      timeseriesBatch(
        [range()],
        timeseriesValues.map((timeseriesValue) => ({ urn, aspectName, ...timeseriesValue })),
      ),
    );
  const at = (day: number, value = `{"rowCount":${String(day)}}`, valueKey = 'k') => ({
    timestampMs: START_MS + day * DAY_MS,
    valueKey,
    value,
  });
  const read = async (question: Partial<TimeseriesQuery> = {}): Promise<readonly ReadTimeseriesValue[]> => {
    const whole = { urn, aspectName, within: {}, latestFirst: true, limit: 1_000, ...question };
    return (await store.readTimeseries(whole)).timeseriesValues;
  };
  const valuesOf = (timeseriesValues: readonly ReadTimeseriesValue[]): readonly string[] =>
    timeseriesValues.map(({ value }) => value);
  /** Returns the store's view for a decision, and writes nothing. */
  const see = async <T>(
    asked: {
      readonly timeseriesValues?: readonly TimeseriesIdentity[];
      readonly spans?: readonly TimeseriesRange[];
    },
    look: (snapshot: WriteSnapshot) => T,
  ): Promise<T> => {
    const seen: T[] = [];
    await store.commit({
      ranges: [range()],
      reads: [{ urn, aspectName }],
      timeseriesValues: (asked.timeseriesValues ?? []).map((timeseriesValue) => ({
        urn,
        aspectName,
        ...timeseriesValue,
      })),
      timeseriesRanges: asked.spans ?? [],
      decide: (snapshot) => {
        seen.push(look(snapshot));
        return { changes: [], deletions: [], refreshes: [], rejections: [], outcomes: [] };
      },
    });
    return seen[0] as T;
  };

  it('keeps values exactly, and answers them latest or earliest first', async () => {
    const exact = '{"big":9223372036854775807,"nul":"\\u0000","text":"日本 😀"}';
    await write(at(3), at(40, exact));
    await write(at(-4_000), at(1));
    expect(valuesOf(await read())).toEqual([exact, '{"rowCount":3}', '{"rowCount":1}', '{"rowCount":-4000}']);
    expect(valuesOf(await read({ latestFirst: false, limit: 2 }))).toEqual([
      '{"rowCount":-4000}',
      '{"rowCount":1}',
    ]);
    expect((await read())[0]).toMatchObject({ valueKey: 'k', seq: 3, systemMetadata: '{"runId":"run-3"}' });
    expect(await read({ aspectName: 'operation' })).toEqual([]);
    expect(await read({ urn: datasetUrn('other') })).toEqual([]);
  });

  it('takes a range with both its ends', async () => {
    await write(...[0, 1, 2, 3].map((day) => at(day)));
    const within = (range: TimeRange) => read({ within: range }).then(valuesOf);
    const [one, two] = [at(1).timestampMs, at(2).timestampMs];
    expect(await within({ startMs: one, endMs: two })).toEqual(['{"rowCount":2}', '{"rowCount":1}']);
    expect(await within({ startMs: two })).toEqual(['{"rowCount":3}', '{"rowCount":2}']);
    expect(await within({ endMs: one - 1 })).toEqual(['{"rowCount":0}']);
    expect(await within({ startMs: two, endMs: one })).toEqual([]);
  });

  it('continues after a value, also among those of one timestamp and across months', async () => {
    const keys = ['-a', 'A', 'Z', '_', 'z'];
    const all = [20, 50].flatMap((day) => keys.map((key) => at(day, `{"at":"${String(day)}${key}"}`, key)));
    await write(...all);
    for (const latestFirst of [true, false]) {
      const whole = await read({ latestFirst });
      expect(whole).toHaveLength(all.length);
      const walked: ReadTimeseriesValue[] = [];
      for (;;) {
        const after = walked.at(-1);
        const question = { urn, aspectName, within: {}, latestFirst, limit: 3, after };
        const { timeseriesValues, hasMore } = await store.readTimeseries(question);
        walked.push(...timeseriesValues);
        expect(hasMore).toBe(walked.length < all.length);
        if (!hasMore) break;
      }
      expect(walked).toEqual(whole);
    }
  });

  it('cuts a page of large values, and says that there are more', async () => {
    const large = JSON.stringify({ text: 'x'.repeat(7 * 1024 * 1024) });
    for (const day of [1, 2, 3]) await write(at(day, large));
    const question = { urn, aspectName, within: {}, latestFirst: true, limit: 10 };
    const first = await store.readTimeseries(question);
    expect([first.timeseriesValues.length, first.hasMore]).toEqual([2, true]);
    const rest = await store.readTimeseries({ ...question, after: first.timeseriesValues.at(-1) });
    expect([rest.timeseriesValues.length, rest.hasMore]).toEqual([1, false]);
  });

  it('replaces a value by one of its identity', async () => {
    await write(at(1), at(1, '{"rowCount":7}', 'other'));
    await write(at(1, '{"rowCount":2}'));
    expect(valuesOf(await read()).toSorted()).toEqual(['{"rowCount":2}', '{"rowCount":7}']);
    const [kept, other, none] = await see(
      { timeseriesValues: [at(1), at(1, '', 'other'), at(2)] },
      (snapshot) =>
        [at(1), at(1, '', 'other'), at(2)].map((ref) =>
          snapshot.timeseriesValue({ urn, aspectName, ...ref }),
        ),
    );
    expect([kept?.seq, kept?.isValue('{"rowCount":2}'), kept?.isValue('{"rowCount":1}')]).toEqual([
      4,
      true,
      false,
    ]);
    expect([other?.seq, none]).toEqual([3, undefined]);
  });

  it('numbers values with the changes, and leaves the entity as it was', async () => {
    await write(at(1), at(2));
    expect(await store.readEntity(urn)).toMatchObject({ seq: 1, aspects: [{ name: 'datasetKey' }] });
    const { partition } = toRange(urn, store.identity.partitions, 0);
    expect((await store.readPartitionSequences()).get(partition)).toBe(3);
    const logged = { position: { log: '', partition, offset: 1 }, urn };
    expect(await store.readOutcomes([logged])).toEqual([{ kind: 'applied', seq: 3 }]);
    await store.commit(plainBatch([range()], [{ urn, aspectName: 'status', value: '{}' }]));
    expect(await store.readEntity(urn)).toMatchObject({ seq: 4 });
    expect(await store.readVersion(urn, aspectName, 1)).toBeUndefined();
    expect(await store.readVersion(urn, aspectName, -1)).toBeUndefined();
  });

  /** A time range whose values are deleted by the change with this number. */
  const gone = (span: TimeseriesRange, seq: number): TimeseriesDeletion => ({
    ...span,
    partition: toRange(span.urn, store.identity.partitions, 0).partition,
    seq,
    unstored: 0,
  });
  const removeAll = (...spans: readonly TimeseriesRange[]): Promise<unknown> =>
    store.commit({
      ...timeseriesBatch([range()], []),
      reads: [{ urn, aspectName }],
      decide: () => ({
        changes: [],
        timeseriesDeletions: spans.map((span, at) => gone(span, 100_000 + 10 * written + at)),
        deletions: [],
        refreshes: [],
        rejections: [],
        outcomes: [],
      }),
    });

  it('takes away any number of them, whatever lies next to them', async () => {
    const keys = Array.from({ length: 900 }, (_, at) => `k${String(at)}`);
    const days = Array.from({ length: 50 }, (_, day) => day);
    await write(...days.flatMap((day) => keys.map((key) => at(day, '{}', key))));
    await store.commit(timeseriesBatch([range()], [{ urn, aspectName: 'operation', ...at(7) }]));
    const span = { urn, aspectName, within: { startMs: at(1).timestampMs, endMs: at(48).timestampMs } };
    await removeAll(span, span);
    expect(await store.countTimeseries({ urn, within: {} })).toBe(2 * keys.length + 1);
    expect((await read({ limit: 1 }))[0]?.timestampMs).toBe(at(49).timestampMs);
    await removeAll({ urn, within: {} });
    expect(await store.countTimeseries({ urn, within: {} })).toBe(0);
  });

  it('takes away what lies in a span, before it writes what the batch brings', async () => {
    await write(...[1, 2, 3, 4].map((day) => at(day)));
    await store.commit(timeseriesBatch([range()], [{ urn, aspectName: 'operation', ...at(2) }]));
    const span = { urn, aspectName, within: { startMs: at(2).timestampMs, endMs: at(3).timestampMs } };
    const empty = { urn, aspectName, within: { startMs: at(5).timestampMs } };
    const all = { urn, within: {} };
    expect(await store.countTimeseries(span)).toBe(2);
    expect(await store.countTimeseries(all)).toBe(5);
    expect(
      await see({ spans: [span, empty, all] }, (snapshot) =>
        [span, empty, all].map((each) => snapshot.nonEmptyRanges.includes(each)),
      ),
    ).toEqual([true, false, true]);

    const batch = timeseriesBatch([range()], [{ urn, aspectName, ...at(3, '{"rowCount":33}') }]);
    await store.commit({
      ...batch,
      decide: async (snapshot) => ({
        ...(await batch.decide(snapshot)),
        timeseriesDeletions: [gone(span, 7)],
      }),
    });
    expect(valuesOf(await read())).toEqual(['{"rowCount":4}', '{"rowCount":33}', '{"rowCount":1}']);
    expect(await store.countTimeseries({ urn, aspectName: 'operation', within: {} })).toBe(1);

    await removeAll(all);
    expect(await store.countTimeseries(all)).toBe(0);
  });

  it('takes values of many months at once from writers that race', async () => {
    const urns = Array.from({ length: 8 }, (_, n) => datasetUrn(`race-${String(n)}`));
    const byPartition = new Map<number, string[]>();
    for (const each of urns) {
      const { partition } = toRange(each, store.identity.partitions, 0);
      byPartition.set(partition, [...(byPartition.get(partition) ?? []), each]);
    }
    await Promise.all(
      [...byPartition].map(async ([, own]) => {
        for (const [from, each] of own.entries()) {
          const timeseriesValues = Array.from({ length: 30 }, (_, n) => ({
            urn: each,
            aspectName,
            ...at(-n * 20),
          }));
          await store.commit(
            timeseriesBatch([toRange(each, store.identity.partitions, from)], timeseriesValues),
          );
        }
      }),
    );
    for (const each of urns) expect(await store.countTimeseries({ urn: each, within: {} })).toBe(30);
  });
});
