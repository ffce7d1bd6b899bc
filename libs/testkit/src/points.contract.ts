import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Point, PointIdentity, TimeRange } from '@stratalog/model';
import type { AspectStore, PointDeletion, PointQuestion, PointSpan, WriteSnapshot } from '@stratalog/ports';
import type { AspectStoreUnderTest } from './aspect-store/tested-store';
import { datasetUrn, plainBatch, pointBatch, rangeOf } from './builders';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 9, 1);

/** What every store promises of points. `open` gives a new, empty one. */
export function pointsContract(open: () => Promise<AspectStoreUnderTest>): void {
  describe('AspectStore of points', () => {
    let store: AspectStore;
    const urn = datasetUrn('measured');
    const aspectName = 'datasetProfile';
    let written: number;

    beforeEach(async () => {
      const opened = await open();
      ({ store } = opened);
      opened.clock.time = START_MS + 60 * DAY_MS;
      written = 0;
    });

    const range = (each = urn) => rangeOf(each, store.identity.partitions, written++);
    const write = (...points: readonly (PointIdentity & { readonly value: string })[]): Promise<unknown> =>
      store.commit(
        pointBatch(
          [range()],
          points.map((point) => ({ urn, aspectName, ...point })),
        ),
      );
    const at = (day: number, value = `{"rowCount":${String(day)}}`, pointKey = 'k') => ({
      timestampMs: START_MS + day * DAY_MS,
      pointKey,
      value,
    });
    const read = async (question: Partial<PointQuestion> = {}): Promise<readonly Point[]> => {
      const whole = { urn, aspectName, within: {}, latestFirst: true, limit: 1_000, ...question };
      return (await store.readPoints(whole)).points;
    };
    const valuesOf = (points: readonly Point[]): readonly string[] => points.map(({ value }) => value);
    /** Asks the store what a decision sees, and writes nothing. */
    const see = async <T>(
      asked: { readonly points?: readonly PointIdentity[]; readonly spans?: readonly PointSpan[] },
      look: (snapshot: WriteSnapshot) => T,
    ): Promise<T> => {
      const seen: T[] = [];
      await store.commit({
        ranges: [range()],
        reads: [{ urn, aspectName }],
        points: (asked.points ?? []).map((point) => ({ urn, aspectName, ...point })),
        pointSpans: asked.spans ?? [],
        decide: (snapshot) => {
          seen.push(look(snapshot));
          return { changes: [], deletions: [], refreshes: [], refusals: [], outcomes: [] };
        },
      });
      return seen[0] as T;
    };

    it('keeps points exactly, and answers them latest or earliest first', async () => {
      const exact = '{"big":9223372036854775807,"nul":"\\u0000","text":"日本 😀"}';
      await write(at(3), at(40, exact));
      await write(at(-4_000), at(1));
      expect(valuesOf(await read())).toEqual([
        exact,
        '{"rowCount":3}',
        '{"rowCount":1}',
        '{"rowCount":-4000}',
      ]);
      expect(valuesOf(await read({ latestFirst: false, limit: 2 }))).toEqual([
        '{"rowCount":-4000}',
        '{"rowCount":1}',
      ]);
      expect((await read())[0]).toMatchObject({ pointKey: 'k', seq: 3, systemMetadata: { runId: 'run-3' } });
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

    it('goes on behind a point, also among those of one moment and across months', async () => {
      const keys = ['-a', 'A', 'Z', '_', 'z'];
      const all = [20, 50].flatMap((day) => keys.map((key) => at(day, `{"at":"${String(day)}${key}"}`, key)));
      await write(...all);
      for (const latestFirst of [true, false]) {
        const whole = await read({ latestFirst });
        expect(whole).toHaveLength(all.length);
        const walked: Point[] = [];
        for (;;) {
          const after = walked.at(-1);
          const question = { urn, aspectName, within: {}, latestFirst, limit: 3, after };
          const { points, hasMore } = await store.readPoints(question);
          walked.push(...points);
          expect(hasMore).toBe(walked.length < all.length);
          if (!hasMore) break;
        }
        expect(walked).toEqual(whole);
      }
    });

    it('cuts a page of large points, and says that there are more', async () => {
      const large = JSON.stringify({ text: 'x'.repeat(7 * 1024 * 1024) });
      for (const day of [1, 2, 3]) await write(at(day, large));
      const question = { urn, aspectName, within: {}, latestFirst: true, limit: 10 };
      const first = await store.readPoints(question);
      expect([first.points.length, first.hasMore]).toEqual([2, true]);
      const rest = await store.readPoints({ ...question, after: first.points.at(-1) });
      expect([rest.points.length, rest.hasMore]).toEqual([1, false]);
    });

    it('replaces a point by one of its identity', async () => {
      await write(at(1), at(1, '{"rowCount":7}', 'other'));
      await write(at(1, '{"rowCount":2}'));
      expect(valuesOf(await read()).toSorted()).toEqual(['{"rowCount":2}', '{"rowCount":7}']);
      const [kept, other, none] = await see({ points: [at(1), at(1, '', 'other'), at(2)] }, (snapshot) =>
        [at(1), at(1, '', 'other'), at(2)].map((ref) => snapshot.point({ urn, aspectName, ...ref })),
      );
      expect([kept?.seq, kept?.isValue('{"rowCount":2}'), kept?.isValue('{"rowCount":1}')]).toEqual([
        4,
        true,
        false,
      ]);
      expect([other?.seq, none]).toEqual([3, undefined]);
    });

    it('numbers points with the changes, and leaves the entity as it was', async () => {
      await write(at(1), at(2));
      expect(await store.readEntity(urn)).toMatchObject({ seq: 1, aspects: [{ name: 'datasetKey' }] });
      const { partition } = rangeOf(urn, store.identity.partitions, 0);
      expect((await store.head()).get(partition)).toBe(3);
      const logged = { position: { partition, offset: 1 }, urn };
      expect(await store.outcomesOf([logged])).toEqual([{ kind: 'applied', seq: 3 }]);
      await store.commit(plainBatch([range()], [{ urn, aspectName: 'status', value: '{}' }]));
      expect(await store.readEntity(urn)).toMatchObject({ seq: 4 });
      expect(await store.readVersion(urn, aspectName, 1)).toBeUndefined();
      expect(await store.readVersion(urn, aspectName, -1)).toBeUndefined();
    });

    /** A span that goes with the change of a number. */
    const gone = (span: PointSpan, seq: number): PointDeletion => ({
      ...span,
      partition: rangeOf(span.urn, store.identity.partitions, 0).partition,
      seq,
      unstored: 0,
    });
    const removeAll = (...spans: readonly PointSpan[]): Promise<unknown> =>
      store.commit({
        ...pointBatch([range()], []),
        reads: [{ urn, aspectName }],
        decide: () => ({
          changes: [],
          pointDeletions: spans.map((span, at) => gone(span, 100_000 + 10 * written + at)),
          deletions: [],
          refreshes: [],
          refusals: [],
          outcomes: [],
        }),
      });

    it('takes away any number of them, whatever lies beside', async () => {
      const keys = Array.from({ length: 900 }, (_, at) => `k${String(at)}`);
      const days = Array.from({ length: 50 }, (_, day) => day);
      await write(...days.flatMap((day) => keys.map((key) => at(day, '{}', key))));
      await store.commit(pointBatch([range()], [{ urn, aspectName: 'operation', ...at(7) }]));
      const span = { urn, aspectName, within: { startMs: at(1).timestampMs, endMs: at(48).timestampMs } };
      await removeAll(span, span);
      expect(await store.countPoints({ urn, within: {} })).toBe(2 * keys.length + 1);
      expect((await read({ limit: 1 }))[0]?.timestampMs).toBe(at(49).timestampMs);
      await removeAll({ urn, within: {} });
      expect(await store.countPoints({ urn, within: {} })).toBe(0);
    });

    it('takes away what lies in a span, before it writes what the batch brings', async () => {
      await write(...[1, 2, 3, 4].map((day) => at(day)));
      await store.commit(pointBatch([range()], [{ urn, aspectName: 'operation', ...at(2) }]));
      const span = { urn, aspectName, within: { startMs: at(2).timestampMs, endMs: at(3).timestampMs } };
      const empty = { urn, aspectName, within: { startMs: at(5).timestampMs } };
      const all = { urn, within: {} };
      expect(await store.countPoints(span)).toBe(2);
      expect(await store.countPoints(all)).toBe(5);
      expect(
        await see({ spans: [span, empty, all] }, (snapshot) =>
          [span, empty, all].map((each) => snapshot.filledSpans.includes(each)),
        ),
      ).toEqual([true, false, true]);

      const batch = pointBatch([range()], [{ urn, aspectName, ...at(3, '{"rowCount":33}') }]);
      await store.commit({
        ...batch,
        decide: async (snapshot) => ({
          ...(await batch.decide(snapshot)),
          pointDeletions: [gone(span, 7)],
        }),
      });
      expect(valuesOf(await read())).toEqual(['{"rowCount":4}', '{"rowCount":33}', '{"rowCount":1}']);
      expect(await store.countPoints({ urn, aspectName: 'operation', within: {} })).toBe(1);

      await removeAll(all);
      expect(await store.countPoints(all)).toBe(0);
    });

    it('takes points of many months at once from writers that race', async () => {
      const urns = Array.from({ length: 8 }, (_, n) => datasetUrn(`race-${String(n)}`));
      const byPartition = new Map<number, string[]>();
      for (const each of urns) {
        const { partition } = rangeOf(each, store.identity.partitions, 0);
        byPartition.set(partition, [...(byPartition.get(partition) ?? []), each]);
      }
      await Promise.all(
        [...byPartition].map(async ([, own]) => {
          for (const [from, each] of own.entries()) {
            const points = Array.from({ length: 30 }, (_, n) => ({ urn: each, aspectName, ...at(-n * 20) }));
            await store.commit(pointBatch([rangeOf(each, store.identity.partitions, from)], points));
          }
        }),
      );
      for (const each of urns) expect(await store.countPoints({ urn: each, within: {} })).toBe(30);
    });
  });
}
