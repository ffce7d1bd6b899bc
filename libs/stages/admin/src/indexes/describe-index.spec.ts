import { expect, test } from '@jest/globals';
import { formatDescription } from './describe-index';

test.each([
  ['none', {}, { state: 'building' }],
  ['one', { live: { name: 'a', isOutdated: false, isHeld: false } }, { state: 'live', live: 'a' }],
  [
    'one that is to be replaced',
    { live: { name: 'a', isOutdated: true, isHeld: false } },
    { state: 'rebuilding', live: 'a' },
  ],
  [
    'the first under construction',
    { building: { name: 'b', progress: { done: 3, total: 9 } } },
    { state: 'building', building: 'b', done: 3, total: 9 },
  ],
  [
    'another for a new model',
    { live: { name: 'a', isOutdated: false, isHeld: false }, building: { name: 'b' } },
    { state: 'live', live: 'a', building: 'b' },
  ],
])('given %s, then the description says so', (_what, state, description) => {
  expect(formatDescription('graph', state)).toEqual({ index: 'graph', ...description });
});
