import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AspectHistory, AspectRef, AspectStore, NewChange } from '@stratalog/ports';
import fc from 'fast-check';
import { datasetUrn, plainBatch, toDeletion, toRange } from '@stratalog/testkit';
import { openEmptyStore, type StoreUnderTest } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresAspectHistory } from './aspect-history';

const URNS = [datasetUrn('past.a'), datasetUrn('past.b'), datasetUrn('past.c')] as const;
const NAMES = ['upstreamLineage', 'status'] as const;
const [A, B] = URNS;
const [LINEAGE, STATUS] = NAMES;

interface NaiveVersion extends AspectRef {
  readonly timeMs: number;
  readonly version: number;
  /** Absent: a deletion. */
  readonly value?: string;
}

describe('PostgresAspectHistory of many entities', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let tested: StoreUnderTest;
  let store: AspectStore;
  let history: AspectHistory;
  let logged: Map<string, number>;

  beforeEach(async () => {
    tested = await openEmptyStore(suite.database);
    ({ store } = tested);
    history = new PostgresAspectHistory(suite.database);
    logged = new Map();
  });

  const commit = (timeMs: number, ref: AspectRef, toChange: (change: NewChange) => NewChange, value = '') => {
    tested.clock.time = timeMs;
    // Urns of one partition share its log.
    const range = toRange(ref.urn, store.identity.partitions, 0);
    const from = logged.get(String(range.partition)) ?? 0;
    logged.set(String(range.partition), from + 1);
    return store.commit({
      ranges: [toRange(ref.urn, store.identity.partitions, from)],
      reads: [ref],
      decide: (snapshot) => {
        const plain = plainBatch([], [{ ...ref, value }]).decide(snapshot);
        return { ...plain, changes: plain.changes.map(toChange) };
      },
    });
  };
  const put = (timeMs: number, ref: AspectRef, value: string) =>
    commit(timeMs, ref, (change) => change, value);
  const remove = (timeMs: number, ref: AspectRef) => commit(timeMs, ref, toDeletion);
  const valuesAt = async (refs: readonly AspectRef[], timeMs: number) => {
    const { aspects, lost, rest } = await history.aspectsAt(refs, timeMs);
    expect([lost, rest]).toEqual([[], []]);
    return aspects.map(({ urn, aspectName, value }) => ({ urn, aspectName, value }));
  };

  it('knows nothing of an empty store', async () => {
    const refs = [{ urn: A, aspectName: LINEAGE }];
    expect(await history.aspectsAt(refs, 1)).toEqual({ aspects: [], lost: [], rest: [] });
    expect(await history.positionAt(1)).toEqual({ position: new Map() });
    expect(await history.filterUnwritten(refs, 0)).toEqual([]);
    const none = { after: new Map(), upTo: new Map(), aspectNames: NAMES, limit: 9 };
    expect(await history.listChangedAspects(none)).toEqual([]);
  });

  it('reads everything of a version, in the order of the request', async () => {
    const [first, second] = [
      { urn: B, aspectName: STATUS },
      { urn: A, aspectName: LINEAGE },
    ];
    await put(2_000, second, '{"n":1}');
    await put(3_000, first, '{"n":2}');
    await put(4_000, second, '{"n":3}');
    const { aspects } = await history.aspectsAt([first, { urn: A, aspectName: STATUS }, second], 3_000);
    expect(aspects).toMatchObject([
      { ...first, version: 1, kind: 'upsert', value: '{"n":2}', created: { time: 3_000 } },
      { ...second, version: 1, value: '{"n":1}', created: { time: 2_000 } },
    ]);
    expect((await history.positionAt(1_999)).firstChangeMs).toBe(2_000);
    expect((await history.positionAt(9_999)).position).toEqual(await store.readPartitionSequences());
  });

  it('limits a page by the size of its values, and goes on with the rest', async () => {
    const large = (n: number): string => JSON.stringify({ n, text: 'x'.repeat(6 * 1024 * 1024) });
    const refs = URNS.flatMap((urn) => NAMES.map((aspectName) => ({ urn, aspectName })));
    for (const [at, ref] of refs.entries()) await put(at + 1, ref, large(at));
    const read: string[] = [];
    let rest: readonly AspectRef[] = refs;
    while (rest.length > 0) {
      const page = await history.aspectsAt(rest, 100);
      expect(page.aspects.length).toBeGreaterThan(0);
      expect(page.aspects.length).toBeLessThan(refs.length);
      read.push(...page.aspects.map(({ value }) => value.slice(0, 6)));
      ({ rest } = page);
    }
    expect(read).toEqual(refs.map((_, at) => `{"n":${String(at)}`));
  });

  it('answers like a naive history, whatever was written', async () => {
    const refs = URNS.flatMap((urn) => NAMES.map((aspectName) => ({ urn, aspectName })));
    const write = fc.record({
      at: fc.integer({ min: 0, max: refs.length - 1 }),
      value: fc.option(fc.integer({ min: 0, max: 9 }), { nil: undefined }),
      wait: fc.integer({ min: 0, max: 2 }),
    });
    const naive: NaiveVersion[] = [];
    let now = 10;
    await fc.assert(
      fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 6 }), async (writes) => {
        for (const { at, value, wait } of writes) {
          now += wait;
          const ref = refs[at] ?? { urn: A, aspectName: LINEAGE };
          const version = naive.filter((each) => isSame(each, ref)).length + 1;
          const text = `{"n":${String(value)}}`;
          await (value === undefined ? remove(now, ref) : put(now, ref, text));
          naive.push({ ...ref, timeMs: now, version, ...(value === undefined ? {} : { value: text }) });
        }
        const sequences = await store.readPartitionSequences();
        for (let timeMs = now - 4; timeMs <= now; timeMs++) {
          const lastAt = (ref: AspectRef, untilMs: number) =>
            naive.findLast((each) => isSame(each, ref) && each.timeMs <= untilMs);
          const expected = refs.flatMap((ref) => {
            const value = lastAt(ref, timeMs)?.value;
            return value === undefined ? [] : [{ ...ref, value }];
          });
          expect(await valuesAt(refs, timeMs)).toEqual(expected);
          const { position } = await history.positionAt(timeMs);
          const range = { after: position, upTo: sequences, aspectNames: [LINEAGE] };
          const changed = refs.filter(
            (ref) =>
              ref.aspectName === LINEAGE &&
              lastAt(ref, timeMs) !== undefined &&
              lastAt(ref, timeMs) !== lastAt(ref, now),
          );
          expect(await history.listChangedAspects({ ...range, limit: 100 })).toEqual(changed);
          expect(await history.listChangedAspects({ ...range, limit: 1 })).toEqual(changed.slice(0, 1));
          expect(sortRefs(await history.filterUnwritten(refs, timeMs))).toEqual(
            sortRefs(
              refs.filter((ref) => {
                const last = lastAt(ref, now);
                return last?.value !== undefined && last.timeMs <= timeMs;
              }),
            ),
          );
        }
      }),
      { numRuns: 15 },
    );
  });
});

function isSame(a: AspectRef, b: AspectRef): boolean {
  return a.urn === b.urn && a.aspectName === b.aspectName;
}

function sortRefs(refs: readonly AspectRef[]): readonly string[] {
  return refs.map(({ urn, aspectName }) => `${urn} ${aspectName}`).sort();
}
