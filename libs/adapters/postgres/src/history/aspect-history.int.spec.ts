import { beforeEach, describe, expect, it } from '@jest/globals';
import type { AspectHistory, AspectStore, CountedWindow, NewChange, VersionRange } from '@stratalog/ports';
import { datasetUrn, plainBatch, timeseriesBatch, toDeletion, toRange } from '@stratalog/testkit';
import { openEmptyStore, type StoreUnderTest } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresAspectHistory } from './aspect-history';

describe('PostgresAspectHistory', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let store: AspectStore;
  let history: AspectHistory;
  let clock: StoreUnderTest['clock'];
  let logged: number;
  const urn = datasetUrn('past');
  const aspectName = 'datasetProperties';

  beforeEach(async () => {
    ({ store, clock } = await openEmptyStore(suite.database));
    history = new PostgresAspectHistory(suite.database);
    logged = 0;
  });

  const commit = async (
    timeMs: number,
    name: string,
    kind: NewChange['kind'],
    value?: string,
  ): Promise<void> => {
    clock.time = timeMs;
    await store.commit({
      ranges: [toRange(urn, store.identity.partitions, logged++)],
      reads: [{ urn, aspectName: name }],
      decide: (snapshot) => {
        const write = { urn, aspectName: name, value: value ?? '' };
        const plain = plainBatch([], [write]).decide(snapshot);
        const changes = plain.changes.map((change) => {
          if (kind === 'delete') return toDeletion(change);
          return kind === 'restate' ? { ...change, kind, version: change.version - 1 } : change;
        });
        return { ...plain, changes };
      },
    });
  };
  const put = (timeMs: number, value: string, name = aspectName): Promise<void> =>
    commit(timeMs, name, 'upsert', value);
  const remove = (timeMs: number, name = aspectName): Promise<void> => commit(timeMs, name, 'delete');
  const eraseAll = (mark = ''): Promise<unknown> =>
    store.commit({
      ranges: [toRange(urn, store.identity.partitions, logged++)],
      reads: [{ urn, aspectName }],
      wholes: [urn],
      decide: (snapshot) => {
        const plain = plainBatch([], [{ urn, aspectName, value: '' }]).decide(snapshot);
        const changes = plain.changes.map((change) => ({
          ...toDeletion(change),
          systemMetadata: { properties: { mark } },
        }));
        return { ...plain, changes, deletions: [{ urn, seq: changes[0]?.seq ?? 0 }] };
      },
    });
  const versions = async (range: Partial<VersionRange> = {}) => {
    const page = await history.listVersions({
      urn,
      aspectName,
      from: 1,
      to: 1_000,
      newestFirst: false,
      limit: 100,
      ...range,
    });
    return { ...page, numbers: page?.versions.map(({ version }) => version) };
  };

  it('counts the values that a hard delete of the entity erased, back to the previous one', async () => {
    const erased = (mark: string) => history.countVersionsDeletedBy({ urn, aspectName, mark });
    expect(await erased('a')).toBe(0);
    for (const at of [1, 2, 3]) await put(at * 1_000, `{"n":${String(at)}}`);
    await put(4_000, '{"removed":false}', 'status');
    await eraseAll('first');
    expect(await erased('first')).toBe(4);
    expect(await erased('second')).toBe(0);
    await put(5_000, '{"n":5}');
    await eraseAll('second');
    await put(6_000, '{"n":6}');
    expect([await erased('first'), await erased('second')]).toEqual([4, 1]);
  });

  it('counts the timeseries values that a deletion removed, stored or not', async () => {
    const series = 'datasetProfile';
    const taken = (mark: string, name = series) =>
      history.countTimeseriesDeletedBy({ urn, aspectName: name, mark });
    const timeseriesValues = [1, 2, 3].map((timestampMs) => ({
      urn,
      aspectName: series,
      timestampMs,
      valueKey: 'k',
      value: '{}',
    }));
    const ranges = () => [toRange(urn, store.identity.partitions, logged++)];
    await store.commit(timeseriesBatch(ranges(), timeseriesValues));
    for (const [mark, within] of [
      ['first', { startMs: 2 }],
      ['second', {}],
    ] as const) {
      await store.commit({
        ranges: ranges(),
        reads: [{ urn, aspectName: series }],
        decide: (snapshot) => {
          const plain = plainBatch([], [{ urn, aspectName: series, value: '' }]).decide(snapshot);
          const changes = plain.changes.map((change) => ({
            ...toDeletion(change),
            systemMetadata: { properties: { mark } },
          }));
          const timeseriesDeletions = changes.map(({ partition, seq }) => ({
            urn,
            aspectName: series,
            within,
            partition,
            seq,
            unstored: mark === 'second' ? 10 : 0,
          }));
          return { ...plain, changes, timeseriesDeletions };
        },
      });
    }
    expect([await taken('first'), await taken('second'), await taken('third')]).toEqual([2, 11, 0]);
    expect(await taken('first', 'operation')).toBe(0);
  });

  it('reads versions in either order, a page at a time', async () => {
    for (const at of [1, 2, 3, 4, 5]) await put(at * 1_000, `{"n":${String(at)}}`);
    expect(await versions()).toMatchObject({
      numbers: [1, 2, 3, 4, 5],
      hasMore: false,
      oldest: 1,
      newest: 5,
    });
    expect(await versions({ limit: 2 })).toMatchObject({ numbers: [1, 2], hasMore: true });
    expect(await versions({ limit: 2, newestFirst: true })).toMatchObject({
      numbers: [5, 4],
      hasMore: true,
    });
    expect(await versions({ from: 2, to: 3 })).toMatchObject({
      numbers: [2, 3],
      hasMore: false,
      newest: 5,
    });
    expect(await versions({ from: 6 })).toMatchObject({ numbers: [], hasMore: false });
    expect((await versions({ from: 2, to: 2 })).versions).toEqual([
      {
        aspectName,
        version: 2,
        seq: 2,
        kind: 'upsert',
        value: '{"n":2}',
        created: { time: 2_000, actor: 'urn:li:corpuser:tester' },
        systemMetadata: { runId: 'run-1' },
      },
    ]);
  });

  it('AspectHistory has no history of unknown aspects and entities', async () => {
    expect(
      await history.listVersions({ urn, aspectName, from: 1, to: 9, newestFirst: true, limit: 1 }),
    ).toBeUndefined();
    expect(await history.entityAt({ urn, timeMs: 1 })).toEqual({ aspects: [], lost: [] });
    expect(await history.listChanges({ urn, limit: 10 })).toEqual({ changes: [], hasMore: false });
  });

  it.each([true, false])('lists versions without their values (newest first: %s)', async (newestFirst) => {
    for (const n of [1, 2, 3]) await put(n * 1_000, `{"n":${String(n)}}`);
    const range = { urn, aspectName, from: 1, to: 9, newestFirst, limit: 2 };
    const page = await history.listVersions({ ...range, withoutValues: true });
    const whole = await history.listVersions(range);
    expect(page).toEqual({
      ...whole,
      versions: whole?.versions.map((version) => ({ ...version, value: undefined })),
    });
  });

  it('reads deletions, and skips restated values', async () => {
    await put(1_000, '{"n":1}');
    await commit(2_000, aspectName, 'restate', '{"n":1}');
    await remove(3_000);
    await put(4_000, '{"n":3}');
    const page = await versions();
    expect(page.versions?.map(({ version, kind, value }) => [version, kind, value])).toEqual([
      [1, 'upsert', '{"n":1}'],
      [2, 'delete', undefined],
      [3, 'upsert', '{"n":3}'],
    ]);
    const { changes } = await history.listChanges({ urn, limit: 10 });
    expect(changes.map(({ version, kind, previous }) => [version, kind, previous])).toEqual([
      [3, 'upsert', { kind: 'delete' }],
      [2, 'delete', { kind: 'upsert', value: '{"n":1}' }],
      [1, 'upsert', undefined],
    ]);
  });

  it('reads an entity as it was at any time', async () => {
    for (let at = 1; at <= 40; at++) await put(at * 10, `{"n":${String(at)}}`);
    await put(405, '{"removed":false}', 'status');
    await remove(410);
    await put(420, '{"n":42}');
    const at = async (timeMs: number, aspectNames?: readonly string[]): Promise<unknown> => {
      const { aspects, lost } = await history.entityAt({
        urn,
        timeMs,
        ...(aspectNames && { aspectNames }),
      });
      return [...aspects.map(({ aspectName: name, value }) => `${name} ${value}`), ...lost];
    };
    expect(await at(9)).toEqual([]);
    for (let n = 1; n <= 40; n++) {
      const expected = [`datasetProperties {"n":${String(n)}}`];
      expect([await at(n * 10, [aspectName]), await at(n * 10 + 4, [aspectName])]).toEqual([
        expected,
        expected,
      ]);
    }
    expect(await at(405)).toEqual(['datasetProperties {"n":40}', 'status {"removed":false}']);
    expect(await at(415)).toEqual(['status {"removed":false}']);
    expect(await at(10_000, ['status', 'ownership'])).toEqual(['status {"removed":false}']);
    expect(await at(10_000)).toEqual(['datasetProperties {"n":42}', 'status {"removed":false}']);
  });

  it('reports purged values as lost', async () => {
    await put(10, '{"n":1}');
    await put(20, '{"n":2}');
    clock.time = 30;
    await eraseAll();
    await put(40, '{"n":4}');
    expect(await history.entityAt({ urn, timeMs: 25 })).toEqual({ aspects: [], lost: [aspectName] });
    expect(await history.entityAt({ urn, timeMs: 35 })).toEqual({ aspects: [], lost: [] });
    expect(await history.entityAt({ urn, timeMs: 5 })).toEqual({ aspects: [], lost: [] });
    expect((await versions()).versions?.map(({ kind, value }) => [kind, value])).toEqual([
      ['upsert', undefined],
      ['upsert', undefined],
      ['delete', undefined],
      ['upsert', '{"n":4}'],
    ]);
  });

  it('reads the changes of all aspects, the newest first, a page at a time and within a time range', async () => {
    const names = [aspectName, 'status', 'ownership'];
    for (let at = 0; at < 12; at++) await put(at * 10, `{"n":${String(at)}}`, names[at % 3]);
    const seen: string[] = [];
    let beforeSeq: number | undefined;
    for (let hasMore = true; hasMore;) {
      const page = await history.listChanges({
        urn,
        limit: 5,
        ...(beforeSeq !== undefined && { beforeSeq }),
      });
      expect(page.changes.length).toBeLessThanOrEqual(5);
      seen.push(...page.changes.map(({ value, previous }) => `${value ?? ''} ${previous?.value ?? ''}`));
      ({ hasMore } = page);
      beforeSeq = page.changes.at(-1)?.seq;
    }
    const text = (n: number): string => (n < 0 ? '' : `{"n":${String(n)}}`);
    expect(seen).toEqual(Array.from({ length: 12 }, (_, at) => `${text(11 - at)} ${text(8 - at)}`));

    const within = await history.listChanges({
      urn,
      limit: 9,
      sinceMs: 30,
      untilMs: 59,
      aspectNames: ['status', 'ownership'],
    });
    expect(within.changes.map(({ value }) => value)).toEqual([text(5), text(4)]);
    expect(within.hasMore).toBe(false);
  });

  it('counts changes by the days of a time zone', async () => {
    const hour = 3_600_000;
    const midnight = Date.UTC(2026, 2, 29);
    for (const at of [-25, -2, -1, 0, 30]) await put(midnight + at * hour, String(at));
    await commit(midnight + 31 * hour, aspectName, 'restate', '30');
    await remove(midnight + 32 * hour);
    await put(midnight + 33 * hour, '1', 'status');
    const count = (window: Partial<CountedWindow> = {}) =>
      history.countChangesByDay({
        urn,
        sinceMs: 0,
        untilMs: Number.MAX_SAFE_INTEGER,
        timeZone: 'UTC',
        limit: 7,
        ...window,
      });
    const day = 24 * hour;
    expect(await count()).toEqual([
      { startMs: midnight - 2 * day, count: 1 },
      { startMs: midnight - day, count: 2 },
      { startMs: midnight, count: 1 },
      { startMs: midnight + day, count: 3 },
    ]);
    // In Berlin summer time begins on this day, at one o'clock UTC.
    expect(await count({ timeZone: 'Europe/Berlin' })).toEqual([
      { startMs: midnight - day - hour, count: 2 },
      { startMs: midnight - hour, count: 2 },
      { startMs: midnight + 22 * hour, count: 3 },
    ]);
    const within = { sinceMs: midnight - hour, untilMs: midnight + 32 * hour };
    expect(await count({ ...within, aspectNames: [aspectName] })).toEqual([
      { startMs: midnight - day, count: 1 },
      { startMs: midnight, count: 1 },
      { startMs: midnight + day, count: 2 },
    ]);
    expect(await count({ urn: datasetUrn('unwritten') })).toEqual([]);
    expect(await count({ limit: 6 })).toBeUndefined();
  });

  it('ends a page before it grows too large', async () => {
    const large = (n: number): string => JSON.stringify({ n, text: 'x'.repeat(6 * 1024 * 1024) });
    for (let at = 1; at <= 5; at++) await put(at, large(at));
    const first = await versions();
    expect(first.numbers?.length).toBeLessThan(5);
    expect(first.hasMore).toBe(true);
    const rest = await versions({ from: (first.numbers?.at(-1) ?? 0) + 1 });
    expect([...(first.numbers ?? []), ...(rest.numbers ?? [])]).toEqual([1, 2, 3, 4, 5]);
    const { changes, hasMore } = await history.listChanges({ urn, limit: 5 });
    expect(changes.length).toBeGreaterThan(0);
    expect(changes.length).toBeLessThan(5);
    expect(hasMore).toBe(true);
  });
});
