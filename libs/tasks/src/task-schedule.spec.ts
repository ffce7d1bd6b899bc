import { expect, test } from '@jest/globals';
import { isDue } from './task-schedule';

test.each([
  ['no end', [], true],
  ['no known end', [undefined, undefined], true],
  ['an end long enough ago', [undefined, 900], true],
  ['an end a moment ago', [950, undefined], false],
  ['the later of two ends a moment ago', [100, 950], false],
  ['an end a moment ahead, by another clock', [1_050], false],
  ['an end far ahead, by a wrong clock', [1_101], true],
] as const)('given %s, then the next task is due: %s %s', (_what, endedMs, due) => {
  expect(isDue({ endedMs, everyMs: 100, nowMs: 1_000 })).toBe(due);
});
