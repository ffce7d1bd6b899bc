import { describe, expect, it, test } from '@jest/globals';
import {
  TASK_REQUESTS,
  TASK_STATES,
  computeRate,
  decideRequest,
  findTaskId,
  formatTaskName,
  isEnded,
  parseTaskName,
  type TaskRequest,
  type TaskState,
} from './task';

const STORE = { storeId: '0123456789abcdef0123456789abcdef' };

describe('a request to a task', () => {
  /** The last member: the state after the request to a task that has not started, where that differs. */
  const changes: readonly (readonly [TaskState, TaskRequest, TaskState, TaskState?])[] = [
    ['queued', 'pause', 'paused'],
    ['running', 'pause', 'pausing'],
    ['paused', 'resume', 'queued'],
    ['pausing', 'resume', 'running'],
    ['queued', 'cancel', 'cancelling', 'cancelled'],
    ['paused', 'cancel', 'cancelling', 'cancelled'],
    ['running', 'cancel', 'cancelling'],
    ['pausing', 'cancel', 'cancelling'],
  ];

  test.each(changes)('leads from %s by %s to %s', (state, request, after, first = after) => {
    expect(decideRequest({ state, hasStarted: true }, request)).toBe(after);
    expect(decideRequest({ state, hasStarted: false }, request)).toBe(first);
  });

  it('changes no other state', () => {
    for (const state of TASK_STATES) {
      for (const request of TASK_REQUESTS) {
        if (changes.some(([from, by]) => from === state && by === request)) continue;
        for (const hasStarted of [true, false])
          expect(decideRequest({ state, hasStarted }, request)).toBe(state);
      }
    }
  });

  it('never leads out of a final state, and once repeated changes nothing', () => {
    for (const state of TASK_STATES) {
      for (const request of TASK_REQUESTS) {
        for (const hasStarted of [true, false]) {
          const after = decideRequest({ state, hasStarted }, request);
          if (isEnded(state)) expect(after).toBe(state);
          expect(decideRequest({ state: after, hasStarted }, request)).toBe(after);
        }
      }
    }
  });
});

describe('the name of a task', () => {
  it('leads back to its number in the same store only', () => {
    const name = formatTaskName(STORE, 12);
    expect(name).toBe('0123456789abcdef012345:12');
    const parsed = parseTaskName(name);
    expect(parsed === undefined ? undefined : findTaskId(STORE, parsed)).toBe(12);
    expect(findTaskId(STORE, { node: 'other', id: 12n })).toBeUndefined();
    expect(findTaskId(STORE, { node: STORE.storeId.slice(0, 22), id: 2n ** 60n })).toBeUndefined();
  });

  test.each([
    '',
    ':1',
    'a:',
    'a:0',
    'a:b',
    'a:-1',
    'a b:1',
    'a:1 ',
    'a:9223372036854775808',
    `${'a'.repeat(101)}:1`,
  ])('is not %j', (text) => {
    expect(parseTaskName(text)).toBeUndefined();
  });

  test.each([
    ['aB1-_:007', 7n],
    ['a:9223372036854775807', 2n ** 63n - 1n],
    [`a:${'0'.repeat(100)}5`, 5n],
  ])('may be %j', (text, id) => {
    expect(parseTaskName(text)?.id).toBe(id);
  });
});

test.each([
  [{ progress: { done: 0, total: 9 }, workedMs: 100 }, undefined],
  [{ progress: { done: 3 }, workedMs: 0 }, undefined],
  [{ progress: { done: 3 }, workedMs: 1_500 }, { perSecond: 2 }],
  [
    { progress: { done: 3, total: 9 }, workedMs: 1_500 },
    { perSecond: 2, leftMs: 3_000 },
  ],
  [
    { progress: { done: 9, total: 6 }, workedMs: 1_000 },
    { perSecond: 9, leftMs: 0 },
  ],
])('the rate of the work %j is %j', (task, rate) => {
  expect(computeRate(task)).toEqual(rate);
});
