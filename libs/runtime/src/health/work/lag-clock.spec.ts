import { describe, expect, it } from '@jest/globals';
import { LagClock } from './lag-clock';

describe('LagClock', () => {
  it('counts from the moment at which the oldest waiting record was seen', () => {
    const clock = new LagClock();
    expect(clock.tell('0', { committedOffset: 5, endOffset: 5 }, 0)).toBe(0);
    expect(clock.tell('0', { committedOffset: 5, endOffset: 8 }, 1_000)).toBe(0);
    expect(clock.tell('0', { committedOffset: 5, endOffset: 12 }, 4_000)).toBe(3);
    expect(clock.tell('0', { committedOffset: 9, endOffset: 12 }, 6_000)).toBe(2);
    expect(clock.tell('0', { committedOffset: 12, endOffset: 12 }, 9_000)).toBe(0);
  });

  it('knows partitions apart, and keeps the oldest of many samples', () => {
    const clock = new LagClock();
    for (let n = 1; n <= 5_000; n++) clock.tell('0', { committedOffset: 0, endOffset: n }, n * 1_000);
    expect(clock.tell('1', { committedOffset: 0, endOffset: 1 }, 6_000_000)).toBe(0);
    expect(clock.tell('0', { committedOffset: 0, endOffset: 5_001 }, 6_000_000)).toBe(5_999);
  });
});
