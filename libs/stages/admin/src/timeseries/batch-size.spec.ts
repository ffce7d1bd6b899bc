import { expect, test } from '@jest/globals';
import { adaptBatch } from './batch-size';

test.each([
  ['a quick batch', 100, 5, 200],
  ['a quick batch of the largest size', 500, 5, 500],
  ['a batch that takes longer than writers may notice', 500, 50, 250],
  ['a batch on a machine that stands still', 100, 5_000, 20],
  ['a batch that took no time', 100, 0, 200],
])('given %s, then the next one has the right size', (_what, size, tookMs, next) => {
  expect(adaptBatch(size, tookMs)).toBe(next);
});
