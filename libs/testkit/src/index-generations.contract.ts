import { beforeEach, describe, expect, it } from '@jest/globals';
import type { DerivedIndex, IndexGenerations, IndexIdentity } from '@stratalog/ports';
import { datasetUrn } from './builders';

export const IDENTITY: IndexIdentity = { storeId: 'a'.repeat(32), epoch: 1, mapping: 'first' };

export interface GenerationsUnderTest<Entry, Index extends DerivedIndex<Entry>> {
  /** How the port is called. */
  readonly name: string;
  /** Gives generations over empty storage. */
  readonly open: () => Promise<IndexGenerations<Index>>;
  readonly entryOf: (urn: string, seq: number) => Entry;
  /** The urns of all entries, by a question of the index's own kind; in any order. */
  readonly urnsIn: (index: Index) => Promise<readonly string[]>;
}

/** What indices of every kind promise about their generations and positions. */
export function indexGenerationsContract<Entry, Index extends DerivedIndex<Entry>>({
  name,
  open,
  entryOf,
  urnsIn,
}: GenerationsUnderTest<Entry, Index>): void {
  const liveUrns = async (indexes: IndexGenerations<Index>): Promise<readonly string[]> => {
    const index = await indexes.live();
    if (index === undefined) throw new Error('There is no index to ask');
    return [...(await urnsIn(index))].sort();
  };

  describe(name, () => {
    let indexes: IndexGenerations<Index>;

    beforeEach(async () => {
      indexes = await open();
    });

    it('has no live index at first, and the promoted one then', async () => {
      expect(await indexes.live()).toBeUndefined();
      const index = await indexes.create(IDENTITY);
      await indexes.promote(index);
      expect((await indexes.live())?.identity).toEqual(IDENTITY);
    });

    it('continues an unfinished index of the same identity, and no other', async () => {
      const first = await indexes.create(IDENTITY);
      await first.write([], new Map([[0, 5]]));
      expect(await (await indexes.create(IDENTITY)).position()).toEqual(new Map([[0, 5]]));
      expect(await (await indexes.create({ ...IDENTITY, mapping: 'other' })).position()).toEqual(new Map());
    });

    it('answers from the live one while another is built, and from that after the swap', async () => {
      const old = await indexes.create(IDENTITY);
      await old.write([entryOf(datasetUrn('old'), 1)], new Map([[0, 1]]));
      await indexes.promote(old);
      const next = await indexes.create({ ...IDENTITY, mapping: 'second' });
      await next.write([entryOf(datasetUrn('new'), 1)], new Map([[0, 1]]));
      expect(await liveUrns(indexes)).toEqual([datasetUrn('old')]);
      await indexes.promote(next);
      expect(await liveUrns(indexes)).toEqual([datasetUrn('new')]);
    });

    it('answers every question while another takes over, those that began before and those after', async () => {
      const urns = Array.from({ length: 50 }, (_, at) => datasetUrn(`s${String(at)}`));
      const entries = urns.map((urn) => entryOf(urn, 1));
      const first = await indexes.create(IDENTITY);
      await first.write(entries, new Map());
      await indexes.promote(first);
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
        await indexes.promote(next);
        await indexes.sweep();
      }
      ended = true;
      await Promise.all(askers);
      expect(await urnsIn(first)).toHaveLength(50);
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
      await index.write([entryOf(datasetUrn('p'), 1)], later);
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
