import { beforeEach, describe, expect, it } from '@jest/globals';
import { LogMovedError } from '@stratalog/model';
import type { AspectStore, Clock, Look, NewChange, WriteSnapshot } from '@stratalog/ports';
import { datasetUrn, plainBatch, rangeOf } from './builders';

export interface AspectStoreUnderTest {
  readonly store: AspectStore;
  /** Set by the suite; the store stamps with it. */
  readonly clock: { time: number } & Clock;
}

/** What every {@link AspectStore} promises. `open` gives a new, empty store. */
export function aspectStoreContract(open: () => Promise<AspectStoreUnderTest>): void {
  describe('AspectStore', () => {
    let store: AspectStore;
    let clock: AspectStoreUnderTest['clock'];
    const urn = datasetUrn('orders');
    const aspectName = 'datasetProperties';
    const partitions = (): number => store.identity.partitions;
    const write = (value: string, from: number): Promise<unknown> =>
      store.commit(plainBatch([rangeOf(urn, partitions(), from)], [{ urn, aspectName, value }]));

    beforeEach(async () => {
      ({ store, clock } = await open());
    });

    it('keeps every version and answers the latest', async () => {
      await write('{"a":1}', 0);
      await write('{"a":2}', 1);

      const entity = await store.readEntity(urn);
      expect(entity?.aspects).toEqual([
        expect.objectContaining({
          name: aspectName,
          version: 2,
          value: '{"a":2}',
          systemMetadata: { runId: 'run-1' },
        }),
      ]);
      expect(entity?.seq).toBe(2);
      expect((await store.readVersion(urn, aspectName, 1))?.value).toBe('{"a":1}');
      expect((await store.readVersion(urn, aspectName, -2))?.version).toBe(1);
      expect((await store.readVersion(urn, aspectName, -1))?.version).toBe(2);
      expect(await store.readVersion(urn, aspectName, 3)).toBeUndefined();
      expect(await store.readVersion(urn, aspectName, -3)).toBeUndefined();
    });

    it('knows nothing of what was never written', async () => {
      expect(await store.readEntity(urn)).toBeUndefined();
      expect(await store.readEntities([urn])).toEqual({ entities: [], rest: [] });
      expect(await store.readVersion(urn, aspectName, 1)).toBeUndefined();
      expect((await store.head()).size).toBe(0);
    });

    it('keeps text exactly: 64-bit integers, escaped NUL, quotes, backslashes, any script', async () => {
      const value =
        '{"big":9223372036854775807,"nul":"\\u0000","quote":"\\"","path":"C:\\\\x","text":"日本 😀 é"}';
      await write(value, 0);
      expect((await store.readEntity(urn))?.aspects[0]?.value).toBe(value);
      expect((await store.readVersion(urn, aspectName, 1))?.value).toBe(value);
    });

    it('answers the named aspects only, and the entity even when it has none of them', async () => {
      await store.commit(
        plainBatch(
          [rangeOf(urn, partitions(), 0, 2)],
          [
            { urn, aspectName: 'status', value: '{}' },
            { urn, aspectName: 'ownership', value: '{}' },
          ],
        ),
      );
      const named = await store.readEntity(urn, ['ownership']);
      expect(named?.aspects.map(({ name }) => name)).toEqual(['ownership']);
      expect(await store.readEntity(urn, ['globalTags'])).toEqual({
        urn,
        seq: 2,
        deleted: false,
        aspects: [],
      });
    });

    it('shows a decision what it looks at, from entity to entity, without writing those', async () => {
      const [a = '', b = '', c = ''] = ['a', 'b', 'c'].map(datasetUrn);
      const links = { [a]: b, [b]: c, [c]: a };
      for (const [each, to] of Object.entries(links)) {
        const range = rangeOf(each, partitions(), await applied(each));
        const value = JSON.stringify({ to });
        await store.commit(plainBatch([range], [{ urn: each, aspectName, value }]));
      }
      let from = await applied(urn);
      const lookedFrom = async (...looks: Look[]): Promise<readonly boolean[]> => {
        let seen: readonly boolean[] = [];
        await store.commit({
          ranges: [rangeOf(urn, partitions(), from++)],
          reads: [{ urn, aspectName }],
          looks,
          decide: (snapshot) => {
            seen = [a, b, c].map((each) => snapshot.looked({ urn: each, aspectName }) !== undefined);
            return { changes: [], deletions: [], refreshes: [], refusals: [], outcomes: [] };
          },
        });
        return seen;
      };
      expect(await lookedFrom()).toEqual([false, false, false]);
      expect(await lookedFrom({ urn: b, aspectName })).toEqual([false, true, false]);
      expect(await lookedFrom({ urn: b, aspectName, onwards: 'none' })).toEqual([false, true, false]);
      expect(await lookedFrom({ urn: b, aspectName, onwards: 'to' })).toEqual([true, true, true]);
      expect(await lookedFrom({ urn: b, aspectName: 'status', onwards: 'to' })).toEqual([
        false,
        false,
        false,
      ]);
    });

    describe('deletion', () => {
      const key = 'datasetKey';
      const deletionOf = (names: readonly string[], snapshot: WriteSnapshot): NewChange[] => {
        const { partition } = rangeOf(urn, partitions(), 0);
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
        store.commit({
          ranges: [rangeOf(urn, partitions(), from)],
          reads: names.map((name) => ({ urn, aspectName: name })),
          wholes: isWhole ? [urn] : [],
          decide: (snapshot) => {
            const all = isWhole ? snapshot.aspectNames(urn) : names;
            const changes = deletionOf(all, snapshot);
            const deletions = isWhole ? [{ urn, seq: changes.at(-1)?.seq ?? 0 }] : [];
            return { changes, deletions, refreshes: [], refusals: [], outcomes: [] };
          },
        });

      it('of an aspect takes its value away, keeps its history, and numbers go on', async () => {
        await write('{"a":1}', 0);
        await remove(1, [aspectName], false);
        expect(await store.readEntity(urn)).toEqual({ urn, seq: 2, deleted: false, aspects: [] });
        expect((await store.readVersion(urn, aspectName, 1))?.value).toBe('{"a":1}');
        expect(await store.readVersion(urn, aspectName, 2)).toBeUndefined();
        expect(await store.readVersion(urn, aspectName, -1)).toBeUndefined();

        clock.time = 5_000;
        await write('{"a":2}', 2);
        const [aspect] = (await store.readEntity(urn))?.aspects ?? [];
        expect(aspect).toMatchObject({ version: 3, value: '{"a":2}', begun: { time: 5_000 } });
      });

      it('of an entity erases its values and keeps its place, from which it may come back', async () => {
        await store.commit(
          plainBatch(
            [rangeOf(urn, partitions(), 0, 2)],
            [
              { urn, aspectName: key, value: '{}' },
              { urn, aspectName, value: '{"a":1}' },
            ],
          ),
        );
        await remove(2, [key], true);
        expect(await store.readEntity(urn)).toEqual({ urn, seq: 4, deleted: true, aspects: [] });
        expect((await store.readEntities([urn])).entities).toEqual([
          { urn, seq: 4, deleted: true, aspects: [] },
        ]);
        expect(await store.urnsAfter(undefined, 2)).toEqual([urn]);
        for (const version of [1, 2, -1]) {
          expect(await store.readVersion(urn, aspectName, version)).toBeUndefined();
        }

        // Of an entity that is not there the last numbers of all aspects are known, whichever were asked for.
        let numbers: readonly number[] = [];
        const batch = plainBatch([rangeOf(urn, partitions(), 3, 0)], []);
        await store.commit({
          ...batch,
          reads: [{ urn, aspectName: 'status' }],
          decide: (snapshot) => {
            numbers = [key, aspectName, 'status'].map((name) =>
              snapshot.lastVersion({ urn, aspectName: name }),
            );
            expect(snapshot.entity(urn)).toEqual({ seq: 4, deleted: true });
            return { changes: [], deletions: [], refreshes: [], refusals: [], outcomes: [] };
          },
        });
        expect(numbers).toEqual([2, 2, 0]);
        await write('{"a":2}', 3);
        expect(await store.readEntity(urn)).toMatchObject({
          seq: 5,
          deleted: false,
          aspects: [{ version: 3 }],
        });
      });

      it('within a batch leaves what was written after it', async () => {
        await write('{"a":1}', 0);
        clock.time = 5_000;
        await store.commit({
          ranges: [rangeOf(urn, partitions(), 1)],
          reads: [{ urn, aspectName }],
          wholes: [urn],
          decide: (snapshot) => {
            const [gone] = deletionOf([aspectName], snapshot);
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
            return { changes: [gone, back], deletions, refreshes: [], refusals: [], outcomes: [] };
          },
        });
        expect(await store.readEntity(urn)).toMatchObject({
          seq: 3,
          deleted: false,
          aspects: [{ version: 3, value: '{"a":2}', begun: { time: 5_000 } }],
        });
        expect(await store.readVersion(urn, aspectName, 1)).toBeUndefined();
        expect((await store.readVersion(urn, aspectName, 3))?.value).toBe('{"a":2}');
      });
    });

    it('remembers when an aspect came to be', async () => {
      clock.time = 1_000;
      await write('{"a":1}', 0);
      clock.time = 2_000;
      await store.commit({
        ranges: [rangeOf(urn, partitions(), 1)],
        reads: [{ urn, aspectName }],
        decide: (snapshot) => {
          const plain = plainBatch([], [{ urn, aspectName, value: '{"a":2}' }]).decide(snapshot);
          const begun = snapshot.aspect({ urn, aspectName })?.begun;
          return {
            ...plain,
            changes: plain.changes.map((change) => ({ ...change, ...(begun && { begun }) })),
          };
        },
      });
      const [aspect] = (await store.readEntity(urn))?.aspects ?? [];
      expect(aspect).toMatchObject({ version: 2, created: { time: 2_000 }, begun: { time: 1_000 } });
    });

    it('reads many entities at once', async () => {
      const urns = ['a', 'b', 'c'].map(datasetUrn);
      for (const each of urns) {
        const range = rangeOf(each, partitions(), await applied(each));
        await store.commit(plainBatch([range], [{ urn: each, aspectName, value: '{}' }]));
      }
      const { entities, rest } = await store.readEntities([...urns, datasetUrn('none')]);
      expect(rest).toEqual([]);
      expect(entities.map((entity) => entity.urn).sort()).toEqual(urns);
      expect(await store.urnsAfter(undefined, 2)).toEqual(urns.slice(0, 2));
      expect(await store.urnsAfter(urns[1], 2)).toEqual(urns.slice(2));
    });

    it('lists and counts what there is', async () => {
      const urns = ['a', 'b_c', 'bxc', 'd'].map(datasetUrn);
      for (const each of urns) {
        const range = rangeOf(each, partitions(), await applied(each));
        await store.commit(plainBatch([range], [{ urn: each, aspectName, value: '{}' }]));
      }
      const prefix = 'urn:li:dataset:';
      expect(await store.urnsWith({ prefix, start: 1, count: 2 })).toEqual({
        urns: urns.slice(1, 3),
        total: 4,
      });
      expect(await store.urnsWith({ prefix, start: 9, count: 2 })).toEqual({ urns: [], total: 4 });
      expect(await store.urnsWith({ prefix: 'urn:li:data', start: 0, count: 0 })).toEqual({
        urns: [],
        total: 4,
      });
      expect(await store.urnsWith({ prefix: 'urn:li:tag:', start: 0, count: 9 })).toEqual({
        urns: [],
        total: 0,
      });

      const counts = ['%', 'urn:li:dataset:%', '%b_c%', '%b\\_c%', urns[0] ?? '', 'urn:li:tag:%'].map(
        (like) => store.countAspects(aspectName, like),
      );
      expect(await Promise.all(counts)).toEqual([4, 4, 2, 1, 1, 0]);
      expect(await store.countAspects(aspectName)).toBe(4);
      expect(await store.countAspects('status')).toBe(0);
    });

    it('reads the named aspects of many entities', async () => {
      const [one, other] = ['one', 'other'].map(datasetUrn) as [string, string];
      for (const each of [one, other]) {
        const names = each === one ? [aspectName, 'status'] : [aspectName];
        const range = rangeOf(each, partitions(), await applied(each), names.length);
        const writes = names.map((name) => ({ urn: each, aspectName: name, value: '{}' }));
        await store.commit(plainBatch([range], writes));
      }
      const { entities } = await store.readEntities([one, other], ['status']);
      expect(entities.map((entity) => [entity.urn, entity.aspects.map(({ name }) => name)])).toEqual([
        [one, ['status']],
        [other, []],
      ]);
    });

    it('leaves what does not fit into one read of bounded size to the next', async () => {
      const urns = ['a', 'b', 'c', 'd'].map((name) => datasetUrn(`large-${name}`));
      for (const each of urns) {
        const range = rangeOf(each, partitions(), await applied(each));
        const value = JSON.stringify({ description: 'x'.repeat(12 * 1024 * 1024) });
        await store.commit(plainBatch([range], [{ urn: each, aspectName, value }]));
      }
      const read: string[] = [];
      for (let left: readonly string[] = urns; left.length > 0;) {
        const page = await store.readEntities(left);
        expect(page.entities.length).toBeGreaterThan(0);
        expect(page.entities.length).toBeLessThan(urns.length);
        read.push(...page.entities.map((entity) => entity.urn));
        left = page.rest;
      }
      expect(read).toEqual(urns);
    });

    it('tells whether a value is the stored one, small or large', async () => {
      for (const [from, value] of ['{"a":1}', JSON.stringify({ text: 'ü'.repeat(200_000) })].entries()) {
        await write(value, from);
        const answers: (boolean | undefined)[] = [];
        const batch = plainBatch([rangeOf(urn, partitions(), from + 1, 0)], []);
        await store.commit({
          ...batch,
          reads: [{ urn, aspectName }],
          decide: (snapshot) => {
            const latest = snapshot.aspect({ urn, aspectName });
            answers.push(latest?.isValue(value), latest?.isValue(`${value} `));
            if (latest?.value !== undefined) answers.push(latest.value === value);
            return { changes: [], deletions: [], refreshes: [], refusals: [], outcomes: [] };
          },
        });
        expect(answers.slice(0, 2)).toEqual([true, false]);
        expect(answers.slice(2)).not.toContain(false);
      }
    });

    it('gives a decision the whole value, however large, when it asks for it', async () => {
      const value = JSON.stringify({ text: 'ü'.repeat(200_000) });
      await write(value, 0);
      let seen: string | undefined;
      await store.commit({
        ...plainBatch([rangeOf(urn, partitions(), 1, 0)], []),
        reads: [{ urn, aspectName, whole: true }],
        decide: (snapshot) => {
          const latest = snapshot.aspect({ urn, aspectName });
          seen = latest?.isValue(value) === true ? latest.value : undefined;
          return { changes: [], deletions: [], refreshes: [], refusals: [], outcomes: [] };
        },
      });
      expect(seen).toBe(value);
    });

    it('keeps a restated value beside its version', async () => {
      await write('{"a":1}', 0);
      for (const from of [1, 2]) {
        await store.commit({
          ranges: [rangeOf(urn, partitions(), from)],
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
      expect(await store.readEntity(urn)).toMatchObject({
        seq: 3,
        aspects: [{ version: 1, value: '{"a":1}' }],
      });
      expect((await store.readVersion(urn, aspectName, -1))?.version).toBe(1);
      await write('{"a":2}', 3);
      expect(await store.readEntity(urn)).toMatchObject({ seq: 4, aspects: [{ version: 2 }] });
    });

    it('numbers the changes of a partition without gap when writers race', async () => {
      const names = Array.from({ length: 40 }, (_, at) => datasetUrn(`race-${String(at % 8)}`));
      const offsets = new Map<number, number>();
      const writers = names.map(async (each, at) => {
        const { partition } = rangeOf(each, partitions(), 0);
        const from = offsets.get(partition) ?? 0;
        offsets.set(partition, from + 1);
        const batch = plainBatch(
          [{ partition, from, to: from + 1 }],
          [{ urn: each, aspectName, value: `{"n":${String(at)}}` }],
        );
        await retryWhileMoved(() => store.commit(batch));
      });
      await Promise.all(writers);

      const total = [...(await store.head()).values()].reduce((sum, seq) => sum + seq, 0);
      expect(total).toBe(names.length);
      for (const each of new Set(names)) {
        const entity = await store.readEntity(each);
        expect(entity?.aspects[0]?.version).toBe(5);
        const versions = await Promise.all(
          [1, 2, 3, 4, 5].map((n) => store.readVersion(each, aspectName, n)),
        );
        expect(versions.map((found) => found?.version)).toEqual([1, 2, 3, 4, 5]);
      }
    });

    it('refuses a batch that does not start at the stored offset, and writes nothing of it', async () => {
      await write('{"a":1}', 0);
      await expect(write('{"a":2}', 0)).rejects.toBeInstanceOf(LogMovedError);
      await expect(write('{"a":2}', 5)).rejects.toBeInstanceOf(LogMovedError);
      expect((await store.readEntity(urn))?.aspects[0]?.version).toBe(1);
      expect([...(await store.head()).values()]).toEqual([1]);
    });

    it('writes nothing when the decision fails', async () => {
      const failing = plainBatch([rangeOf(urn, partitions(), 0)], []);
      const decide = (): never => {
        throw new RangeError('no');
      };
      await expect(store.commit({ ...failing, decide })).rejects.toThrow();
      expect((await store.head()).size).toBe(0);
      await write('{"a":1}', 0);
    });

    it('stamps a partition in order even when the clock steps back', async () => {
      clock.time = 2_000;
      await write('{"a":1}', 0);
      clock.time = 1_000;
      await write('{"a":2}', 1);
      expect((await store.readVersion(urn, aspectName, 1))?.created.time).toBe(2_000);
      expect((await store.readVersion(urn, aspectName, 2))?.created.time).toBe(2_000);
    });

    it('refreshes provenance without a version', async () => {
      await write('{"a":1}', 0);
      const batch = plainBatch([rangeOf(urn, partitions(), 1)], []);
      await store.commit({
        ...batch,
        reads: [{ urn, aspectName }],
        decide: () => ({
          changes: [],
          deletions: [],
          refreshes: [{ urn, aspectName, observed: { lastObserved: 9_007_199_254_740_993n } }],
          refusals: [],
          outcomes: [{ kind: 'unchanged', version: 1, partition: 0, seq: 1 }],
        }),
      });
      const aspect = (await store.readEntity(urn))?.aspects[0];
      expect(aspect).toMatchObject({ version: 1, observed: { lastObserved: 9_007_199_254_740_993n } });
      expect([...(await store.head()).values()]).toEqual([1]);
    });

    it('tells what became of a logged proposal', async () => {
      const range = rangeOf(urn, partitions(), 0);
      const position = { partition: range.partition, offset: 1 };
      const logged = { position, urn };
      expect(await store.outcomesOf([logged])).toEqual([{ kind: 'pending' }]);
      await write('{"a":1}', 0);
      const later = { position: { ...position, offset: 9 }, urn };
      const stranger = { position, urn: datasetUrn('never written') };
      expect(await store.outcomesOf([later, logged, stranger])).toEqual([
        { kind: 'pending' },
        { kind: 'applied', seq: 1 },
        { kind: 'applied', seq: 0 },
      ]);

      const refused = { partition: range.partition, offset: 2 };
      await store.commit({
        ...plainBatch([rangeOf(urn, partitions(), 1)], []),
        decide: () => ({
          changes: [],
          deletions: [],
          refreshes: [],
          refusals: [
            { position: refused, reason: 'not \u0000 good', content: { bytes: Buffer.from([0, 255]) } },
          ],
          outcomes: [{ kind: 'refused', reason: 'not good' }],
        }),
      });
      expect(await store.outcomesOf([{ position: refused, urn }, logged])).toMatchObject([
        { kind: 'refused' },
        { kind: 'applied', seq: 1 },
      ]);
    });

    async function applied(each: string): Promise<number> {
      const { partition } = rangeOf(each, partitions(), 0);
      return (await store.head()).get(partition) ?? 0;
    }
  });
}

/** The batches of one partition were numbered in a fixed order but sent at once: each waits its turn by trying again. */
async function retryWhileMoved<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof LogMovedError)) throw error;
    }
  }
}
