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
        // Some looks after all of them have begun to wait.
        if (asked === 55) committed = 7;
        return Promise.resolve(progressOf(committed, 7));
      },
    },
  });
  const waiting = Array.from({ length: 50 }, () => waits.isDecided(limitMs(10_000)));
  expect(await Promise.all(waiting)).toEqual(Array.from({ length: 50 }, () => true));
  // One look each at the start, and then shared ones.
  expect(asked).toBeLessThan(60);
  committed = 6;
  expect(await waits.isDecided(50)).toBe(false);
});
