import { expect, test } from '@jest/globals';
import { UnavailableError } from '@stratalog/domain';
import type { AspectStore, BuildCheckpoint, VersionedIndex } from '@stratalog/ports';
import { fillByUrns } from './fill-by-urns';

const PAGES = [['a', 'b'], ['c'], ['d']];

/** A store with the urns of `PAGES`, page by page. */
const STORE = {
  readPartitionSequences: () => Promise.resolve(new Map([[0, 7]])),
  urnsAfter: (after: string | undefined) =>
    Promise.resolve(PAGES.find(([first = '']) => after === undefined || first > after) ?? []),
} as unknown as AspectStore;

/** Fills an index; returns what happened, in its order. */
async function fill(
  writePage: (last: string, events: readonly string[]) => Promise<void>,
): Promise<readonly string[]> {
  const events: string[] = [];
  const index = {
    write: (_: readonly never[], position: ReadonlyMap<number, number>) => {
      events.push(`complete at ${String(position.get(0))}`);
      return Promise.resolve();
    },
  } as unknown as VersionedIndex<never>;
  const filling = fillByUrns(STORE, index, {
    onPage: (done: number, { after }: BuildCheckpoint) => {
      events.push(`${String(done)} up to ${after}`);
      return Promise.resolve();
    },
    preparePage: ({ last }) => {
      events.push(`read ${last}`);
      return Promise.resolve(async () => {
        events.push(`write ${last}`);
        await writePage(last, events);
      });
    },
  });
  await filling.catch((error: unknown) => events.push(String(error)));
  return events;
}

test('a page is read while the one before is written, and the checkpoint covers written ones only', async () => {
  const events = await fill(async (last, so) => {
    // Leaves time for the read of the next page.
    for (let turn = 0; last === 'b' && turn < 100 && !so.includes('read c'); turn++) await Promise.resolve();
  });
  expect(events.filter((event) => !event.startsWith('read'))).toEqual([
    'write b',
    '2 up to b',
    'write c',
    '3 up to c',
    'write d',
    '4 up to d',
    'complete at 7',
  ]);
  expect(events.indexOf('read c')).toBeLessThan(events.indexOf('2 up to b'));
});

test('the fill fails when a write fails, and nothing more is written', async () => {
  const events = await fill((last) =>
    last === 'c' ? Promise.reject(new UnavailableError('away')) : Promise.resolve(),
  );
  expect(events.filter((event) => event.startsWith('write'))).toEqual(['write b', 'write c']);
  expect(events.at(-1)).toContain('away');
});
