import { describe, expect, it } from '@jest/globals';
import { OffsetConflictError } from '@stratalog/domain';
import { NO_WRITES, datasetUrn, plainBatch, toRange } from '@stratalog/testkit';
import { ASPECT, useTestedStore } from '../testing/tested-store.fixture';

describe('PostgresAspectStore', () => {
  const tested = useTestedStore();
  const { urn, aspectName } = ASPECT;

  it('numbers the changes of a partition without gap when writers race', async () => {
    const names = Array.from({ length: 40 }, (_, at) => datasetUrn(`race-${String(at % 8)}`));
    const offsets = new Map<number, number>();
    const writers = names.map(async (each, at) => {
      const { partition } = toRange(each, tested.partitions, 0);
      const from = offsets.get(partition) ?? 0;
      offsets.set(partition, from + 1);
      const batch = plainBatch(
        [{ partition, from, to: from + 1 }],
        [{ urn: each, aspectName, value: `{"n":${String(at)}}` }],
      );
      await retryWhileMoved(() => tested.store.commit(batch));
    });
    await Promise.all(writers);

    const total = [...(await tested.store.readPartitionSequences()).values()].reduce(
      (sum, seq) => sum + seq,
      0,
    );
    expect(total).toBe(names.length);
    for (const each of new Set(names)) {
      const entity = await tested.store.readEntity(each);
      expect(entity?.aspects[0]?.version).toBe(5);
      const versions = await Promise.all(
        [1, 2, 3, 4, 5].map((n) => tested.store.readVersion(each, aspectName, n)),
      );
      expect(versions.map((found) => found?.version)).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('rejects a batch that does not start at the stored offset, and writes nothing of it', async () => {
    await tested.write('{"a":1}', 0);
    await expect(tested.write('{"a":2}', 0)).rejects.toBeInstanceOf(OffsetConflictError);
    await expect(tested.write('{"a":2}', 5)).rejects.toBeInstanceOf(OffsetConflictError);
    expect((await tested.store.readEntity(urn))?.aspects[0]?.version).toBe(1);
    expect([...(await tested.store.readPartitionSequences()).values()]).toEqual([1]);
  });

  it('commits the offset up to which the decision went', async () => {
    const range = toRange(urn, tested.partitions, 0, 3);
    const batch = plainBatch([range], [{ urn, aspectName, value: '{"a":1}' }]);
    const ranges = [{ ...range, to: 1 }];
    await tested.store.commit({ ...batch, decide: (snapshot) => ({ ...batch.decide(snapshot), ranges }) });
    await expect(tested.write('{"a":2}', 3)).rejects.toBeInstanceOf(OffsetConflictError);
    await tested.write('{"a":2}', 1);
    expect((await tested.store.readEntity(urn))?.aspects[0]?.version).toBe(2);
  });

  it('writes nothing when the decision fails', async () => {
    const failing = plainBatch([toRange(urn, tested.partitions, 0)], []);
    const decide = (): never => {
      throw new RangeError('no');
    };
    await expect(tested.store.commit({ ...failing, decide })).rejects.toThrow();
    expect((await tested.store.readPartitionSequences()).size).toBe(0);
    await tested.write('{"a":1}', 0);
  });

  it('stamps a partition in order even when the clock steps back', async () => {
    tested.clock.time = 2_000;
    await tested.write('{"a":1}', 0);
    tested.clock.time = 1_000;
    await tested.write('{"a":2}', 1);
    expect((await tested.store.readVersion(urn, aspectName, 1))?.created.time).toBe(2_000);
    expect((await tested.store.readVersion(urn, aspectName, 2))?.created.time).toBe(2_000);
  });

  it('stores when an aspect was created', async () => {
    tested.clock.time = 1_000;
    await tested.write('{"a":1}', 0);
    tested.clock.time = 2_000;
    await tested.store.commit({
      ranges: [toRange(urn, tested.partitions, 1)],
      reads: [{ urn, aspectName }],
      decide: (snapshot) => {
        const plain = plainBatch([], [{ urn, aspectName, value: '{"a":2}' }]).decide(snapshot);
        const aspectCreated = snapshot.aspect({ urn, aspectName })?.aspectCreated;
        return {
          ...plain,
          changes: plain.changes.map((change) => ({ ...change, ...(aspectCreated && { aspectCreated }) })),
        };
      },
    });
    const [aspect] = (await tested.store.readEntity(urn))?.aspects ?? [];
    expect(aspect).toMatchObject({ version: 2, created: { time: 2_000 }, aspectCreated: { time: 1_000 } });
  });

  it('stores a restated value with its version', async () => {
    await tested.write('{"a":1}', 0);
    for (const from of [1, 2]) {
      await tested.store.commit({
        ranges: [toRange(urn, tested.partitions, from)],
        reads: [{ urn, aspectName }],
        decide: (snapshot) => {
          const plain = plainBatch([], [{ urn, aspectName, value: '{"a":1}' }]).decide(snapshot);
          const changes = plain.changes.map((change) => ({
            ...change,
            kind: 'restate' as const,
            version: 1,
          }));
          return { ...plain, changes };
        },
      });
    }
    expect(await tested.store.readEntity(urn)).toMatchObject({
      seq: 3,
      aspects: [{ version: 1, value: '{"a":1}' }],
    });
    expect((await tested.store.readVersion(urn, aspectName, -1))?.version).toBe(1);
    await tested.write('{"a":2}', 3);
    expect(await tested.store.readEntity(urn)).toMatchObject({ seq: 4, aspects: [{ version: 2 }] });
  });

  it('refreshes provenance without a version', async () => {
    await tested.write('{"a":1}', 0);
    const batch = plainBatch([toRange(urn, tested.partitions, 1)], []);
    await tested.store.commit({
      ...batch,
      reads: [{ urn, aspectName }],
      decide: () => ({
        ...NO_WRITES,
        refreshes: [{ urn, aspectName, observed: { lastObserved: 9_007_199_254_740_993n } }],
        outcomes: [{ kind: 'unchanged', version: 1, partition: 0, seq: 1 }],
      }),
    });
    const aspect = (await tested.store.readEntity(urn))?.aspects[0];
    expect(aspect).toMatchObject({ version: 1, observed: { lastObserved: 9_007_199_254_740_993n } });
    expect([...(await tested.store.readPartitionSequences()).values()]).toEqual([1]);
  });

  it('reports the outcome of a logged proposal', async () => {
    const range = toRange(urn, tested.partitions, 0);
    const position = { log: '', partition: range.partition, offset: 1 };
    const logged = { position, urn };
    expect(await tested.store.readOutcomes([logged])).toEqual([{ kind: 'pending' }]);
    await tested.write('{"a":1}', 0);
    const later = { position: { ...position, offset: 9 }, urn };
    const stranger = { position, urn: datasetUrn('never written') };
    const elsewhere = { position: { ...position, log: 'another' }, urn };
    expect(await tested.store.readOutcomes([later, logged, stranger, elsewhere])).toEqual([
      { kind: 'pending' },
      { kind: 'applied', seq: 1 },
      { kind: 'applied', seq: 0 },
      // The store is not bound to a log outside yet.
      { kind: 'pending' },
    ]);

    const rejected = { log: '', partition: range.partition, offset: 2 };
    await tested.store.commit({
      ...plainBatch([toRange(urn, tested.partitions, 1)], []),
      decide: () => ({
        ...NO_WRITES,
        rejections: [
          { position: rejected, reason: 'not \u0000 good', content: { bytes: Buffer.from([0, 255]) } },
        ],
        outcomes: [{ kind: 'rejected', reason: 'not good' }],
      }),
    });
    expect(await tested.store.readOutcomes([{ position: rejected, urn }, logged])).toMatchObject([
      { kind: 'rejected' },
      { kind: 'applied', seq: 1 },
    ]);
  });
});

/** The batches of one partition have fixed offsets but are sent at once: each retries until its turn. */
async function retryWhileMoved<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof OffsetConflictError)) throw error;
    }
  }
}
