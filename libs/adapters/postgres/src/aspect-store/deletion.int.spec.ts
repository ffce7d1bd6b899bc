import { describe, expect, it } from '@jest/globals';
import type { NewChange, WriteSnapshot } from '@stratalog/ports';
import { NO_WRITES, plainBatch, toRange } from '@stratalog/testkit';
import { ASPECT, useTestedStore } from '../testing/tested-store.fixture';

describe('PostgresAspectStore', () => {
  const tested = useTestedStore();
  const { urn, aspectName } = ASPECT;

  describe('deletion', () => {
    const key = 'datasetKey';
    const toDeletion = (names: readonly string[], snapshot: WriteSnapshot): NewChange[] => {
      const { partition } = toRange(urn, tested.partitions, 0);
      const seq = snapshot.seqs.get(partition) ?? 0;
      return names.map((name, at) => ({
        partition,
        seq: seq + at + 1,
        urn,
        aspectName: name,
        kind: 'delete',
        version: snapshot.lastVersion({ urn, aspectName: name }) + 1,
        systemMetadata: {},
        created: { time: 1, actor: 'urn:li:corpuser:tester' },
      }));
    };
    const remove = (from: number, names: readonly string[], isWhole: boolean): Promise<unknown> =>
      tested.store.commit({
        ranges: [toRange(urn, tested.partitions, from)],
        reads: names.map((name) => ({ urn, aspectName: name })),
        wholes: isWhole ? [urn] : [],
        decide: (snapshot) => {
          const all = isWhole ? snapshot.aspectNames(urn) : names;
          const changes = toDeletion(all, snapshot);
          const deletions = isWhole ? [{ urn, seq: changes.at(-1)?.seq ?? 0 }] : [];
          return { ...NO_WRITES, changes, deletions };
        },
      });

    it('deletion of an aspect removes its value, keeps its history, and continues the version numbers', async () => {
      await tested.write('{"a":1}', 0);
      await remove(1, [aspectName], false);
      expect(await tested.store.readEntity(urn)).toEqual({ urn, seq: 2, deleted: false, aspects: [] });
      expect((await tested.store.readVersion(urn, aspectName, 1))?.value).toBe('{"a":1}');
      expect(await tested.store.readVersion(urn, aspectName, 2)).toBeUndefined();
      expect(await tested.store.readVersion(urn, aspectName, -1)).toBeUndefined();
      expect((await tested.store.readVersion(urn, aspectName, -2))?.version).toBe(1);

      tested.clock.time = 5_000;
      await tested.write('{"a":2}', 2);
      const [aspect] = (await tested.store.readEntity(urn))?.aspects ?? [];
      expect(aspect).toMatchObject({ version: 3, value: '{"a":2}', aspectCreated: { time: 5_000 } });
    });

    it('deletion of an entity erases its values and keeps a tombstone, from which the entity may return', async () => {
      await tested.append(urn, { [key]: '{}', [aspectName]: '{"a":1}' });
      await remove(2, [key], true);
      expect(await tested.store.readEntity(urn)).toEqual({ urn, seq: 4, deleted: true, aspects: [] });
      expect((await tested.store.readEntities([urn])).entities).toEqual([
        { urn, seq: 4, deleted: true, aspects: [] },
      ]);
      expect(await tested.store.urnsAfter(undefined, 2)).toEqual([urn]);
      for (const version of [1, 2, -1]) {
        expect(await tested.store.readVersion(urn, aspectName, version)).toBeUndefined();
      }

      // Of an unknown entity the last versions of all aspects are known, whichever aspects the read names.
      let numbers: readonly number[] = [];
      const batch = plainBatch([toRange(urn, tested.partitions, 3, 0)], []);
      await tested.store.commit({
        ...batch,
        reads: [{ urn, aspectName: 'status' }],
        decide: (snapshot) => {
          numbers = [key, aspectName, 'status'].map((name) =>
            snapshot.lastVersion({ urn, aspectName: name }),
          );
          expect(snapshot.entity(urn)).toEqual({ seq: 4, deleted: true });
          return NO_WRITES;
        },
      });
      expect(numbers).toEqual([2, 2, 0]);
      await tested.write('{"a":2}', 3);
      expect(await tested.store.readEntity(urn)).toMatchObject({
        seq: 5,
        deleted: false,
        aspects: [{ version: 3 }],
      });
    });

    it('within a batch leaves later writes of the batch', async () => {
      await tested.write('{"a":1}', 0);
      tested.clock.time = 5_000;
      await tested.store.commit({
        ranges: [toRange(urn, tested.partitions, 1)],
        reads: [{ urn, aspectName }],
        wholes: [urn],
        decide: (snapshot) => {
          const [gone] = toDeletion([aspectName], snapshot);
          if (gone === undefined) throw new Error('nothing is deleted');
          const created = { time: 5_000, actor: gone.created.actor };
          const back: NewChange = {
            ...gone,
            kind: 'upsert',
            seq: 3,
            version: 3,
            value: '{"a":2}',
            created,
          };
          const deletions = [{ urn, seq: gone.seq }];
          return { ...NO_WRITES, changes: [gone, back], deletions };
        },
      });
      expect(await tested.store.readEntity(urn)).toMatchObject({
        seq: 3,
        deleted: false,
        aspects: [{ version: 3, value: '{"a":2}', aspectCreated: { time: 5_000 } }],
      });
      expect(await tested.store.readVersion(urn, aspectName, 1)).toBeUndefined();
      expect((await tested.store.readVersion(urn, aspectName, 3))?.value).toBe('{"a":2}');
    });
  });
});
