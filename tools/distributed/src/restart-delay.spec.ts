import { describe, expect, it } from '@jest/globals';
import { restartDelay } from './restart-delay';

describe('restartDelay', () => {
  it.each([
    [1, 500],
    [2, 1_000],
    [6, 16_000],
    [7, undefined],
  ])('restartDelay after %d ends is %p', (count, delay) => {
    const ends = Array.from({ length: count }, (_, at) => 1_000_000 + at);
    expect(restartDelay(ends, 1_000_100)).toBe(delay);
  });

  it('forgets what was long ago', () => {
    expect(restartDelay([0, 1, 2, 3, 4, 5, 6, 1_000_000], 1_000_000)).toBe(500);
  });
});
