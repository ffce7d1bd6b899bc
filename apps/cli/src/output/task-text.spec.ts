import { expect, test } from '@jest/globals';
import { formatBar, formatTaskProgress, type ListedTask } from './task-text';

const TASK: Omit<ListedTask, 'progress'> = {
  task: 'node:7',
  id: 7,
  kind: 'rebuild-indices',
  state: 'running',
  requestedBy: 'urn:li:corpuser:admin',
  parameters: {},
  createdMillis: 0,
  workedMillis: 0,
};

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
  [{ progress: { done: 3 } }, 'running 3'],
  [{ progress: { done: 0 }, waitsFor: 'node:6' }, 'running 0, waits for node:6'],
  [
    { progress: { done: 5, total: 10, perSecond: 2.5, secondsLeft: 130 } },
    'running [############............] 50% 5 of 10, 2.5/s, 2 min 10 s left',
  ],
])('given a task with %j, then the line is %s', (more, line) => {
  expect(formatTaskProgress({ ...TASK, ...more })).toBe(line);
});
