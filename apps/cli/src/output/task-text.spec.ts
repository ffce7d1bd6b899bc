import { expect, test } from '@jest/globals';
import { formatBar, formatTaskProgress } from './task-text';

test.each([
  [0, 10, '[........................] 0%'],
  [5, 10, '[############............] 50%'],
  [9_999, 10_000, '[#######################.] 99%'],
  [10, 10, '[########################] 100%'],
  [12, 10, '[########################] 100%'],
  [0, 0, '[########################] 100%'],
])('given %d of %d, then the bar is %s', (done, total, bar) => {
  expect(formatBar(done, total)).toBe(bar);
});

test.each([
  [{ state: 'running', progress: { done: 3 } }, 'running 3'],
  [
    { state: 'running', progress: { done: 5, total: 10, perSecond: 2.5, secondsLeft: 130 } },
    'running [############............] 50% 5 of 10, 2.5/s, 2 min 10 s left',
  ],
  [{}, ' 0'],
])('given the task %j, then the line is %s', (task, line) => {
  expect(formatTaskProgress(task)).toBe(line);
});
