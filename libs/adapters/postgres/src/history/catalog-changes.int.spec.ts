import { beforeEach, describe, expect, it } from '@jest/globals';
import { partitionOf } from '@stratalog/domain';
import type { AspectHistory, AspectStore, CatalogChangeWindow, ChangePlace } from '@stratalog/ports';
import { datasetUrn, plainBatch, timeseriesBatch, toDeletion, toRange } from '@stratalog/testkit';
import { openEmptyStore, type StoreUnderTest } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresAspectHistory } from './aspect-history';

const URNS = Array.from({ length: 6 }, (_, at) => datasetUrn(`changed.${String(at)}`));
const TAG = 'urn:li:tag:changed';

describe('PostgresAspectHistory of the whole catalog', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let tested: StoreUnderTest;
  let store: AspectStore;
  let history: AspectHistory;
  let logged: Map<number, number>;

  beforeEach(async () => {
    tested = await openEmptyStore(suite.database);
    ({ store } = tested);
    history = new PostgresAspectHistory(suite.database);
    logged = new Map();
  });

  const nextRange = (urn: string) => {
    const { partitions } = store.identity;
    const partition = partitionOf(urn, partitions);
    const from = logged.get(partition) ?? 0;
    logged.set(partition, from + 1);
    return toRange(urn, partitions, from);
  };
  const write = async (timeMs: number, urn: string, change: 'upsert' | 'delete' | 'restate' = 'upsert') => {
    tested.clock.time = timeMs;
    const ref = { urn, aspectName: 'status' };
    await store.commit({
      ranges: [nextRange(urn)],
      reads: [ref],
      decide: (snapshot) => {
        const plain = plainBatch([], [{ ...ref, value: `{"n":${String(timeMs)}}` }]).decide(snapshot);
        const changes = plain.changes.map((each) => {
          if (change === 'delete') return toDeletion(each);
          return change === 'restate'
            ? { ...each, kind: 'restate' as const, version: each.version - 1 }
            : each;
        });
        return { ...plain, changes };
      },
    });
  };
  const readAll = async (window: Omit<CatalogChangeWindow, 'limit'>, limit: number) => {
    const seen: string[] = [];
    let from: ChangePlace | undefined;
    do {
      const page = await history.listCatalogChanges({
        ...window,
        limit,
        ...(from !== undefined && { from }),
      });
      expect(page.changes.length).toBeLessThanOrEqual(limit);
      seen.push(...page.changes.map(({ urn, created }) => `${String(created.time)} ${urn}`));
      from = page.next;
    } while (from !== undefined);
    return seen;
  };

  it('reads what follows a position, in order and with the values before', async () => {
    const [urn = ''] = URNS;
    await write(1, urn);
    await write(2, urn);
    await write(3, urn, 'restate');
    await write(4, urn, 'delete');
    await write(5, urn);
    const partition = partitionOf(urn, store.identity.partitions);
    const end = (await store.readPartitionSequences()).get(partition) ?? 0;
    const read = async (after: number, limit: number) =>
      (await history.readChangesAfter(new Map([[partition, after]]), limit)).map(
        ({ seq, aspectName, kind, value, previous }) => [seq, aspectName, kind, value, previous],
      );
    const all = await read(0, 100);
    expect(all.map(([seq]) => seq)).toEqual(Array.from({ length: end }, (_, at) => at + 1));
    expect(all.filter(([, aspectName]) => aspectName === 'status').map((each) => each.slice(2))).toEqual([
      ['upsert', '{"n":1}', undefined],
      ['upsert', '{"n":2}', { kind: 'upsert', value: '{"n":1}' }],
      ['restate', '{"n":3}', undefined],
      ['delete', undefined, { kind: 'upsert', value: '{"n":2}' }],
      ['upsert', '{"n":5}', { kind: 'delete' }],
    ]);
    expect(await read(2, 2)).toEqual(all.slice(2, 4));
    expect(await read(end, 10)).toEqual([]);
  });

  it('has no changes of an empty store', async () => {
    expect(await history.listCatalogChanges({ limit: 5 })).toEqual({ changes: [] });
  });

  it('lists the changes of all entities, the newest first, whatever the size of a page', async () => {
    const written: string[] = [];
    for (let timeMs = 10; timeMs < 40; timeMs++) {
      const urn = URNS[(timeMs * 5) % URNS.length] ?? '';
      await write(timeMs, urn);
      written.unshift(`${String(timeMs)} ${urn}`);
    }
    for (const limit of [1, 4, 29, 30, 100]) expect(await readAll({}, limit)).toEqual(written);
  });

  it('lists each of the changes of one time once', async () => {
    for (const urn of [...URNS, ...URNS]) await write(50, urn);
    const seen = await readAll({}, 5);
    expect(seen.toSorted()).toEqual([...URNS, ...URNS].map((urn) => `50 ${urn}`).toSorted());
  });

  it('selects changes by entity type, actor and time', async () => {
    for (const [at, urn] of [...URNS, TAG].entries()) await write(at + 1, urn);
    expect(await readAll({ entityTypes: ['tag'] }, 3)).toEqual([`7 ${TAG}`]);
    expect(await readAll({ entityTypes: ['tag', 'dataset'] }, 3)).toHaveLength(7);
    expect(await readAll({ entityTypes: [] }, 3)).toEqual([]);
    expect(await readAll({ actor: 'urn:li:corpuser:nobody' }, 3)).toEqual([]);
    expect(await readAll({ actor: 'urn:li:corpuser:tester' }, 3)).toHaveLength(7);
    const within = await readAll({ sinceMs: 2, untilMs: 4 }, 2);
    expect(within.map((text) => text.split(' ')[0])).toEqual(['4', '3', '2']);
    expect(await readAll({ untilMs: 0 }, 2)).toEqual([]);
  });

  it('includes deletions, with the kind of the version before, and neither restatements nor timeseries values', async () => {
    await write(1, TAG);
    await write(2, TAG, 'restate');
    await write(3, TAG, 'delete');
    await write(4, TAG);
    const value = { urn: TAG, aspectName: 'operation', timestampMs: 5, valueKey: 'k', value: '{}' };
    await store.commit(timeseriesBatch([nextRange(TAG)], [value]));
    const { changes } = await history.listCatalogChanges({ limit: 10 });
    expect(changes.map(({ version, kind, previousKind }) => [version, kind, previousKind])).toEqual([
      [3, 'upsert', 'delete'],
      [2, 'delete', 'upsert'],
      [1, 'upsert', undefined],
    ]);
    expect(changes[0]).toMatchObject({
      urn: TAG,
      aspectName: 'status',
      created: { time: 4, actor: 'urn:li:corpuser:tester' },
      systemMetadata: { runId: 'run-1' },
    });
  });
});
