import { expect, test } from '@jest/globals';
import { decideMove } from './run-task';

test.each([
  ['running', false, 'work'],
  ['running', true, 'release'],
  ['pausing', false, 'pause'],
  ['pausing', true, 'pause'],
  ['cancelling', false, 'cancel'],
  ['cancelling', true, 'cancel'],
  ['lost', false, 'leave'],
  ['lost', true, 'leave'],
] as const)(
  'given a %s task and a process that stops: %s, then the move is %s',
  (state, isStopping, move) => {
    expect(decideMove(state, isStopping)).toBe(move);
  },
);
