import { beforeEach, describe, expect, it } from '@jest/globals';
import { UnavailableError, covers } from '@stratalog/domain';
import { StoredIndexVersions } from '@stratalog/indexing';
import { systemClock } from '@stratalog/concurrency';
import {
  ReplacedVersionError,
  type Clock,
  type DerivedIndex,
  type IndexIdentity,
  type IndexVersions,
  type IndexVersionStore,
} from '@stratalog/ports';
import { datasetUrn } from '../builders';
import { until } from '../until';

export const IDENTITY: IndexIdentity = { storeId: 'a'.repeat(32), epoch: 1, mapping: 'first' };

/** A store of index versions over empty storage. */
export interface OpenedIndexVersions<Index> {
  readonly versions: IndexVersionStore<Index>;
  /** Deletes the storage of an index without the port's knowledge. */
  readonly lose: (index: { readonly name: string }) => Promise<void>;
}

export interface IndexVersionsUnderTest<Entry, Index extends DerivedIndex<Entry>> {
  /** The name of the port. */
  readonly name: string;
  readonly open: () => Promise<OpenedIndexVersions<Index>>;
  readonly project: (urn: string, seq: number) => Entry;
  /** Queries the urns of all entries, by the index's own kind of query; in any order. */
  readonly urnsIn: (index: Index) => Promise<readonly string[]>;
}

/** Opens the versions of a store, as the catalog does. */
export function indexVersionsOver<Index extends { readonly name: string }>(
  versions: IndexVersionStore<Index>,
  clock: Clock = systemClock,
): IndexVersions<Index> {
  return new StoredIndexVersions(versions, clock);
}

/** The contract of index versions and positions, for indices of every kind. */
export function indexVersionsContract<Entry, Index extends DerivedIndex<Entry>>({
  name,
  open,
  project,
  urnsIn,
}: IndexVersionsUnderTest<Entry, Index>): void {
  const liveUrns = async (indexes: IndexVersions<Index>): Promise<readonly string[]> => {
    const index = await indexes.live();
    if (index === undefined) throw new Error('There is no index to ask');
    return [...(await urnsIn(index))].sort();
  };

  describe(name, () => {
    let indexes: IndexVersions<Index>;
    let versions: IndexVersionStore<Index>;
    let lose: OpenedIndexVersions<unknown>['lose'];

    beforeEach(async () => {
      ({ versions, lose } = await open());
      indexes = indexVersionsOver(versions);
    });

    const activated = async (...entries: readonly Entry[]): Promise<Index> => {
      const index = await indexes.create(IDENTITY);
      await index.write(entries, new Map([[0, entries.length]]));
      await indexes.activate(index);
      return index;
    };

    it('an index has no live index at first, and the activated one then', async () => {
      expect(await indexes.live()).toBeUndefined();
      const index = await indexes.create(IDENTITY);
      await indexes.activate(index);
      expect((await indexes.live())?.identity).toEqual(IDENTITY);
    });

    it('continues an unfinished index of the same identity, and no other', async () => {
      const first = await indexes.create(IDENTITY);
      await first.write([], new Map([[0, 5]]));
      expect(await (await indexes.create(IDENTITY)).position()).toEqual(new Map([[0, 5]]));
      expect(await (await indexes.create({ ...IDENTITY, mapping: 'other' })).position()).toEqual(new Map());
    });

    it('answers from the live one while another is built, and from that after its activation', async () => {
      const old = await indexes.create(IDENTITY);
      await old.write([project(datasetUrn('old'), 1)], new Map([[0, 1]]));
      await indexes.activate(old);
      const next = await indexes.create({ ...IDENTITY, mapping: 'second' });
      await next.write([project(datasetUrn('new'), 1)], new Map([[0, 1]]));
      expect(await liveUrns(indexes)).toEqual([datasetUrn('old')]);
      await indexes.activate(next);
      expect(await liveUrns(indexes)).toEqual([datasetUrn('new')]);
    });

    it('answers every question while another takes over, those that began before and those after', async () => {
      const urns = Array.from({ length: 50 }, (_, at) => datasetUrn(`s${String(at)}`));
      const entries = urns.map((urn) => project(urn, 1));
      const first = await indexes.create(IDENTITY);
      await first.write(entries, new Map());
      await indexes.activate(first);
      let ended = false;
      const askers = [0, 1, 2].map(async () => {
        let answers = 0;
        while (!ended || answers < 3) {
          expect(await liveUrns(indexes)).toEqual([...urns].sort());
          answers++;
        }
      });
      for (const mapping of ['second', 'third', 'fourth']) {
        const next = await indexes.create({ ...IDENTITY, mapping });
        await next.write(entries, new Map());
        await indexes.activate(next);
        await indexes.deleteRetired();
      }
      ended = true;
      await Promise.all(askers);
      expect(await urnsIn(first)).toHaveLength(50);
    });

    it('an index has no live index once it is lost, says so to every reader and writer, and begins a new one', async () => {
      const index = await activated(project(datasetUrn('a'), 1));
      await lose(index);
      await expect(urnsIn(index)).rejects.toThrow(UnavailableError);
      await expect(index.write([project(datasetUrn('b'), 2)], new Map([[0, 2]]))).rejects.toThrow(
        UnavailableError,
      );
      await expect(index.count()).rejects.toThrow(UnavailableError);
      await until(async () => (await indexes.live()) === undefined);
      expect(await indexes.state()).toEqual({});
      const next = await indexes.create(IDENTITY);
      expect(next.name).not.toBe(index.name);
      expect(await next.position()).toEqual(new Map());
      await next.write([], new Map([[0, 1]]));
      await indexes.activate(next);
      expect(await liveUrns(indexes)).toEqual([]);
    });

    it('an index does not go on with an unfinished index that is lost', async () => {
      const unfinished = await indexes.create(IDENTITY);
      await unfinished.write([], new Map([[0, 5]]));
      await lose(unfinished);
      const next = await indexes.create(IDENTITY);
      expect(next.name).not.toBe(unfinished.name);
      expect(await next.position()).toEqual(new Map());
    });

    it('answers from an index that is to be replaced, under another identity, until one has taken its place', async () => {
      const index = await activated(project(datasetUrn('a'), 1));
      await indexes.requestRebuild();
      expect(await liveUrns(indexes)).toEqual([datasetUrn('a')]);
      expect((await indexes.live())?.identity).not.toEqual(IDENTITY);
      expect(await indexes.state()).toEqual({ live: { name: index.name, isOutdated: true, isHeld: false } });
      const next = await indexes.create(IDENTITY);
      expect(next.name).not.toBe(index.name);
      await indexes.sendHeartbeat(next, { after: 0, progress: { done: 1, total: 3 } });
      expect((await indexes.state()).building).toEqual({ name: next.name, progress: { done: 1, total: 3 } });
      await next.write([], new Map([[0, 1]]));
      await indexes.activate(next);
      expect((await indexes.live())?.identity).toEqual(IDENTITY);
      expect(await indexes.state()).toEqual({ live: { name: next.name, isOutdated: false, isHeld: false } });
    });

    it('keeps a requested rebuild on hold until it is requested again', async () => {
      const { name: live } = await activated(project(datasetUrn('a'), 1));
      await indexes.holdRebuild();
      expect(await indexes.state()).toEqual({ live: { name: live, isOutdated: false, isHeld: false } });
      await indexes.requestRebuild();
      await indexes.holdRebuild();
      expect(await indexes.state()).toEqual({ live: { name: live, isOutdated: true, isHeld: true } });
      await indexes.requestRebuild();
      expect(await indexes.state()).toEqual({ live: { name: live, isOutdated: true, isHeld: false } });
    });

    it('keeps the live version when a requested rebuild is cancelled, and gives the unfinished one up', async () => {
      const index = await activated(project(datasetUrn('a'), 1));
      await indexes.requestRebuild();
      const unfinished = await indexes.create(IDENTITY);
      await indexes.cancelRebuild();
      expect(await indexes.state()).toEqual({
        live: { name: index.name, isOutdated: false, isHeld: false },
      });
      expect((await indexes.live())?.identity).toEqual(IDENTITY);
      await indexes.requestRebuild();
      expect((await indexes.create(IDENTITY)).name).not.toBe(unfinished.name);
    });

    it('keeps where another process continues an unfinished build', async () => {
      const index = await indexes.create(IDENTITY);
      const resume = { after: datasetUrn('ü "\\'), position: { 0: 7, 12: 9 } };
      expect(await indexes.sendHeartbeat(index, { after: 0, progress: { done: 4, total: 9, resume } })).toBe(
        true,
      );
      const { building } = await indexes.state();
      expect(building).toEqual({ name: index.name, progress: { done: 4, total: 9, resume } });
      await indexes.sendHeartbeat(index, { after: 1, progress: { done: 9, total: 9 } });
      expect((await indexes.state()).building?.progress).toEqual({ done: 9, total: 9 });
    });

    it('accepts the heartbeats of one builder after the other, and none of those that missed one', async () => {
      const index = await indexes.create(IDENTITY);
      expect(await indexes.readBuild(index)).toEqual({ isLive: false, heartbeats: 0 });
      const progress = { done: 4, total: 9 };
      const heartbeats = ['a', 'b', 'c'].map((builder) =>
        indexes.sendHeartbeat(index, { after: 0, builder, progress }),
      );
      expect((await Promise.all(heartbeats)).filter(Boolean)).toHaveLength(1);
      expect(await indexes.sendHeartbeat(index, { after: 1, builder: 'd' })).toBe(true);
      const late = { after: 1, builder: 'a', progress: { done: 0, total: 9 } };
      expect(await indexes.sendHeartbeat(index, late)).toBe(false);
      expect(await indexes.readBuild(index)).toEqual({
        isLive: false,
        heartbeats: 2,
        builder: 'd',
        progress,
      });
      expect(await indexes.sendHeartbeat(index, { after: 2 })).toBe(true);
      expect(await indexes.readBuild(index)).toEqual({ isLive: false, heartbeats: 3, progress });
      await indexes.activate(index);
      expect(await indexes.readBuild(index)).toMatchObject({ isLive: true });
      await indexes.retire(index);
      expect(await indexes.readBuild(index)).toBeUndefined();
    });

    it('an index is asked for a rebuild in vain while there is no index', async () => {
      await indexes.requestRebuild();
      expect(await indexes.state()).toEqual({});
    });

    it('an index has no live index once that was retired', async () => {
      const index = await activated(project(datasetUrn('a'), 1));
      await indexes.retire(index);
      expect(await indexes.live()).toBeUndefined();
      expect((await indexes.create(IDENTITY)).name).not.toBe(index.name);
    });

    it('keeps the live index when one that was deleted is to be activated', async () => {
      const index = await activated(project(datasetUrn('a'), 1));
      const next = await indexes.create({ ...IDENTITY, mapping: 'second' });
      await indexes.drop(next);
      await expect(indexes.activate(next)).rejects.toThrow(UnavailableError);
      expect((await indexVersionsOver(versions).live())?.name).toBe(index.name);
      expect(await indexes.state()).toEqual({ live: { name: index.name, isOutdated: false, isHeld: false } });
    });

    it('keeps the live index when one that it has replaced is to be activated again', async () => {
      const former = await activated(project(datasetUrn('a'), 1));
      const next = await indexes.create({ ...IDENTITY, mapping: 'second' });
      await next.write([], new Map([[0, 1]]));
      await indexes.activate(next);
      await expect(indexes.activate(former)).rejects.toThrow(ReplacedVersionError);
      expect((await indexVersionsOver(versions).live())?.name).toBe(next.name);
    });

    it('an index stays live until its replacement includes every change that it does', async () => {
      const former = await indexes.create(IDENTITY);
      const position = new Map([
        [0, 4],
        [3, 2],
      ]);
      await former.write([], position);
      await indexes.activate(former);
      const next = await indexes.create({ ...IDENTITY, mapping: 'second' });
      await next.write([], new Map([[0, 9]]));
      expect(await indexes.activate(next)).toBe(false);
      expect((await indexVersionsOver(versions).live())?.name).toBe(former.name);
      await next.write([], new Map([[3, 2]]));
      expect(await indexes.activate(next)).toBe(true);
      expect((await indexVersionsOver(versions).live())?.name).toBe(next.name);
    });

    it('an index is replaced by any version of another epoch, whose positions mean other changes', async () => {
      const former = await indexes.create(IDENTITY);
      await former.write([], new Map([[0, 4]]));
      await indexes.activate(former);
      const next = await indexes.create({ ...IDENTITY, epoch: 2 });
      await next.write([], new Map([[0, 1]]));
      expect(await indexes.activate(next)).toBe(true);
    });

    it('an index never includes more than its replacement, however many processes write to it at that moment', async () => {
      const former = await activated();
      const next = await indexes.create({ ...IDENTITY, mapping: 'second' });
      let seq = 0;
      const follow = async (): Promise<void> => {
        for (;;) await former.write([], new Map([[0, ++seq]]));
      };
      const following = [follow(), follow(), follow()].map((each) =>
        each.catch((error: unknown) => {
          expect(error).toBeInstanceOf(UnavailableError);
        }),
      );
      let lead = 0;
      do await next.write([], new Map([[0, seq + lead++]]));
      while (!(await indexes.activate(next)));
      await Promise.all(following);
      expect(covers(await next.position(), await former.position())).toBe(true);
    });

    it('an index stays live when it is given up as unfinished at the moment of its activation', async () => {
      const { name: live } = await activated(project(datasetUrn('a'), 1));
      for (const { id } of await versions.list()) await versions.retire(id, 'building', 1);
      expect((await indexVersionsOver(versions).live())?.name).toBe(live);
    });

    it('deletes a retired index two minutes after it was replaced, however often others are', async () => {
      const clock = { time: 1_000_000, now: () => clock.time };
      const aging = indexVersionsOver(versions, clock);
      const built: Index[] = [];
      for (const mapping of ['first', 'second', 'third']) {
        const index = await aging.create({ ...IDENTITY, mapping });
        await index.write([], new Map([[0, 1]]));
        await aging.activate(index);
        built.push(index);
        clock.time += 70_000;
      }
      await aging.deleteRetired();
      const names = (await versions.list()).map((version) => version.name);
      expect(names).toEqual(built.slice(1).map((index) => index.name));
    });

    it('an index is the same unfinished index for two processes that created one at the same time', async () => {
      const processes = [indexes, indexVersionsOver(versions)];
      await Promise.all(processes.map((each) => each.create(IDENTITY)));
      const [first, second] = await Promise.all(processes.map((each) => each.create(IDENTITY)));
      expect(first?.name).toBe(second?.name);
    });

    it('counts its entries, and tells which it has', async () => {
      const index = await indexes.create(IDENTITY);
      expect(await index.count()).toBe(0);
      const urns = [datasetUrn('a'), datasetUrn('ü'.repeat(400))];
      await index.write(
        urns.map((urn) => project(urn, 1)),
        new Map([[0, 1]]),
      );
      await index.write([project(datasetUrn('a'), 2)], new Map([[0, 2]]));
      expect(await index.count()).toBe(2);
      expect([...(await index.filterPresent([datasetUrn('b'), ...urns]))].sort()).toEqual([...urns].sort());
      expect(await index.filterPresent([])).toEqual([]);
    });

    it('moves a position with the entries, and never back', async () => {
      const index = await indexes.create(IDENTITY);
      const wide = new Map([
        [0, 3],
        [7, 1],
      ]);
      await index.write([], wide);
      const later = new Map([
        [0, 2],
        [7, 4],
      ]);
      await index.write([project(datasetUrn('p'), 1)], later);
      expect(await index.position()).toEqual(
        new Map([
          [0, 3],
          [7, 4],
        ]),
      );
      expect(await urnsIn(index)).toEqual([datasetUrn('p')]);
    });
  });
}
