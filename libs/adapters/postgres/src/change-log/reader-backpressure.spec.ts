import { expect, it } from '@jest/globals';
import { ReaderBackpressure } from './reader-backpressure';

const QUEUED = { changes: 400, commits: 10, tookMs: 100, hasMore: false };

it.each([
  ['for four times the batch while writers queue', QUEUED, 400],
  ['for two seconds at most', { ...QUEUED, tookMs: 900 }, 2_000],
  ['not for writers who do not wait for one another', { ...QUEUED, commits: 100 }, 0],
  ['not while this process does not write', { ...QUEUED, commits: 0 }, 0],
  ['not after a batch without changes', { ...QUEUED, changes: 0 }, 0],
])('a consumer pauses %s', (_, batch, pauseMs) => {
  const writers = new ReaderBackpressure(() => 0);
  const pauses = [QUEUED, QUEUED, batch].map((each) => writers.pauseAfter(each));
  expect(pauses).toEqual([0, 0, pauseMs]);
});

it('a consumer that has been behind for five seconds does not pause until it has caught up', () => {
  let now = 0;
  const writers = new ReaderBackpressure(() => now);
  const behind = { ...QUEUED, hasMore: true };
  const pauses = [QUEUED, QUEUED, behind].map((batch) => writers.pauseAfter(batch));
  now = 5_001;
  pauses.push(writers.pauseAfter(behind), writers.pauseAfter(QUEUED));
  now = 10_000;
  pauses.push(writers.pauseAfter(behind));
  expect(pauses).toEqual([0, 0, 400, 0, 400, 400]);
});
