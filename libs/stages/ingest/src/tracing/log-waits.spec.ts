import { expect, it } from '@jest/globals';
import type { ConsumerProgress } from '@stratalog/ports';
import { LogWaits } from './log-waits';

const progressOf = (committedOffset: number, endOffset: number): ConsumerProgress =>
  new Map([[0, { committedOffset, endOffset }]]);

it('lets all who wait for the writer share one look at the log', async () => {
  let [asked, committed] = [0, 0];
  const waits = new LogWaits({
    proposals: {
      progress: () => {
        asked++;
        return Promise.resolve(progressOf(committed, 7));
      },
    },
  });
  const waiting = Promise.all(Array.from({ length: 50 }, () => waits.isDecided(10_000)));
  setTimeout(() => (committed = 7), 100);
  expect(await waiting).toEqual(Array.from({ length: 50 }, () => true));
  // One look each at the start, and then one each 20 ms for all of them.
  expect(asked).toBeLessThan(50 + 20);
  committed = 6;
  expect(await waits.isDecided(50)).toBe(false);
});
