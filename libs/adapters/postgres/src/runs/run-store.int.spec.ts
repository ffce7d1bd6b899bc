import { beforeEach, describe, expect, it } from '@jest/globals';
import { NO_RUN_ID } from '@stratalog/domain';
import type { AspectStore, RunAspectsQuery, RunStore } from '@stratalog/ports';
import { datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { openEmptyStore, type StoreUnderTest } from '../testing/empty-store';
import { useSuiteDatabase } from '../testing/suite-database';
import { PostgresRunStore } from './run-store';

interface Written {
  readonly aspectName?: string;
  readonly value?: string;
  readonly kind?: 'upsert' | 'delete';
}

const PROPERTIES = 'datasetProperties';
const SOFT_DELETED = { aspectName: 'status', member: 'removed' };

describe('PostgresRunStore', () => {
  const suite = useSuiteDatabase({ poolSize: 8 });
  let store: AspectStore;
  let runs: RunStore;
  let clock: StoreUnderTest['clock'];
  const logged = new Map<number, number>();

  beforeEach(async () => {
    ({ store, clock } = await openEmptyStore(suite.database));
    runs = new PostgresRunStore(suite.database);
    logged.clear();
  });

  const write = async (
    runId: string | undefined,
    timeMs: number,
    name: string,
    { aspectName = PROPERTIES, value = `{"at":${String(timeMs)}}`, kind = 'upsert' }: Written = {},
  ): Promise<void> => {
    clock.time = timeMs;
    const urn = datasetUrn(name);
    const range = toRange(urn, store.identity.partitions, 0);
    const from = logged.get(range.partition) ?? 0;
    logged.set(range.partition, from + 1);
    const batch = plainBatch([{ ...range, from, to: from + 1 }], [{ urn, aspectName, value }]);
    await store.commit({
      ...batch,
      decide: (snapshot) => {
        const plain = batch.decide(snapshot);
        const changes = plain.changes.map(({ value: own, ...change }) => ({
          ...change,
          kind,
          ...(kind === 'delete' || own === undefined ? {} : { value: own }),
          systemMetadata: runId === undefined ? {} : { runId },
        }));
        return { ...plain, changes };
      },
    });
  };
  const listed = async (start = 0, limit = 10, exceptSoftDeleted?: typeof SOFT_DELETED) =>
    (await runs.runs({ start, limit, exceptSoftDeleted })).map(
      ({ runId, lastMs, aspects }) => `${runId} ${String(lastMs)} ${String(aspects)}`,
    );
  const aspects = async (question: Partial<RunAspectsQuery> = {}) =>
    (await runs.listAspects({ runId: 'a', limit: 100, ...question })).map(
      ({ urn, aspectName, version }) => `${urn.split(',')[1] ?? ''} ${aspectName} ${String(version)}`,
    );

  it('lists runs, the last to write first, with what is theirs still', async () => {
    await write('a', 1_000, 'one');
    await write('a', 1_000, 'two');
    await write('b', 2_000, 'three');
    await write('c', 2_000, 'four');
    expect(await listed()).toEqual(['b 2000 1', 'c 2000 1', 'a 1000 2']);
    expect(await listed(1, 1)).toEqual(['c 2000 1']);
    expect(await listed(3, 10)).toEqual([]);

    await write('a', 3_000, 'three');
    expect(await listed()).toEqual(['a 3000 3', 'c 2000 1']);
    await write('a', 4_000, 'four', { kind: 'delete' });
    expect(await listed()).toEqual(['a 3000 3']);
  });

  it('RunStore has no run for writes that name none, or one that no index could hold', async () => {
    for (const [at, runId] of [undefined, '', NO_RUN_ID, 'x'.repeat(300), 'a\u0000b'].entries()) {
      await write(runId, 1_000 + at, 'one');
    }
    expect(await listed()).toEqual([]);
    await write('a', 3_000, 'one');
    await write(undefined, 4_000, 'one');
    expect(await listed()).toEqual([]);
    expect(await aspects()).toEqual([]);
  });

  it('leaves out soft-deleted entities, and only these', async () => {
    const softDelete = (value: string, name: string) =>
      write('other', 2_000, name, { aspectName: 'status', value });
    await write('a', 1_000, 'one');
    await write('a', 1_000, 'two');
    await write('a', 1_000, 'three');
    await softDelete('{"removed":true}', 'one');
    await softDelete('{"lifecycleStage":"{\\"removed\\":true}","removed":false}', 'two');
    expect(await listed(0, 10, SOFT_DELETED)).toEqual(['other 2000 1', 'a 1000 2']);
    expect(await aspects({ exceptSoftDeleted: SOFT_DELETED })).toEqual([
      `three ${PROPERTIES} 1`,
      `two ${PROPERTIES} 1`,
    ]);
    expect(await runs.countRun({ runId: 'a', exceptSoftDeleted: SOFT_DELETED }, [])).toMatchObject({
      aspects: 2,
    });
    for (const name of ['two', 'three']) await softDelete('{"a":1,"removed":true,"z":1}', name);
    expect(await listed(0, 10, SOFT_DELETED)).toEqual([]);
    expect(await listed()).toEqual(['other 2000 3', 'a 1000 3']);
  });

  it('gives the aspects of a run in the order in which they were written, page by page', async () => {
    await write('a', 2_000, 'two', { aspectName: 'status' });
    await write('a', 2_000, 'two');
    await write('a', 2_000, 'three');
    await write('b', 2_500, 'four');
    await write('a', 3_000, 'one');
    await write('a', 4_000, 'one');
    const all = await runs.listAspects({ runId: 'a', limit: 100 });
    expect(await aspects()).toEqual([
      `three ${PROPERTIES} 1`,
      `two ${PROPERTIES} 1`,
      'two status 1',
      `one ${PROPERTIES} 2`,
    ]);
    const paged: string[] = [];
    for (let after = undefined as (typeof all)[number] | undefined; ;) {
      const [next] = await runs.listAspects({ runId: 'a', limit: 1, after });
      if (next === undefined) break;
      paged.push(`${next.urn} ${next.aspectName}`);
      after = next;
    }
    expect(paged).toEqual(all.map(({ urn, aspectName }) => `${urn} ${aspectName}`));
    expect(await aspects({ start: 1, limit: 2 })).toEqual([`two ${PROPERTIES} 1`, 'two status 1']);
    expect(await aspects({ untilMs: 2_000 })).toHaveLength(3);
    expect(await aspects({ names: { only: ['status'] } })).toEqual(['two status 1']);
    expect(await aspects({ names: { but: ['status'] } })).toHaveLength(3);
  });

  it('gives values where they are asked for, at least one however large', async () => {
    const large = `{"text":"${'x'.repeat(20 * 1024 * 1024)}"}`;
    await write('a', 1_000, 'one', { value: large });
    await write('a', 2_000, 'two', { value: large });
    await write('a', 3_000, 'three');
    expect((await runs.listAspects({ runId: 'a', limit: 100 })).map(({ value }) => value)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    const read = await runs.listAspects({ runId: 'a', limit: 100, withValues: true });
    expect(read.map(({ value }) => value?.length)).toEqual([large.length, large.length]);
    const rest = await runs.listAspects({ runId: 'a', limit: 100, withValues: true, after: read[1] });
    expect(rest.map(({ value }) => value)).toEqual(['{"at":3000}']);
  });

  it('counts aspects, keys and entities, and what others have of these', async () => {
    await write('a', 1_000, 'one', { aspectName: 'datasetKey' });
    await write('a', 1_000, 'one');
    await write('a', 2_000, 'two');
    expect(await runs.countRun({ runId: 'a' }, ['datasetKey', 'tagKey'])).toEqual({
      aspects: 3,
      keys: 1,
      entities: 2,
      lastMs: 2_000,
      kept: { aspects: 0, keys: 0 },
    });
    expect(await runs.countRun({ runId: 'nobody' }, [])).toEqual({
      aspects: 0,
      keys: 0,
      entities: 0,
      lastMs: 0,
      kept: { aspects: 0, keys: 0 },
    });

    await write('b', 3_000, 'one', { aspectName: 'ownership' });
    await write(undefined, 3_000, 'one', { aspectName: 'globalTags' });
    await write('b', 3_000, 'one', { aspectName: 'status' });
    const urns = ['one', 'two', 'three'].map(datasetUrn);
    expect(await runs.countWrittenByOthers('a', urns, ['status'])).toEqual(new Map([[datasetUrn('one'), 2]]));
  });
});
