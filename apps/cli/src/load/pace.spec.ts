import { describe, expect, it } from '@jest/globals';
import { PaceMeter } from './pace';

describe('the pace of a load', () => {
  it('is that of its last seconds', () => {
    const meter = new PaceMeter(1000);
    expect(meter.at({ seconds: 10, sent: 100, bytesRead: 100 })).toEqual({
      ratePerSecond: 10,
      share: 0.1,
      secondsLeft: 90,
    });
    expect(meter.at({ seconds: 20, sent: 1100, bytesRead: 500 })).toEqual({
      ratePerSecond: 100,
      share: 0.5,
      secondsLeft: 12.5,
    });
  });

  it('says nothing about the time left of a pipe, or before anything is known', () => {
    const mark = { seconds: 10, sent: 100, bytesRead: 0 };
    expect(new PaceMeter(undefined).at(mark)).toEqual({
      ratePerSecond: 10,
      share: undefined,
      secondsLeft: undefined,
    });
    expect(new PaceMeter(1000).at(mark).secondsLeft).toBeUndefined();
    expect(new PaceMeter(1000).at({ ...mark, seconds: 0 }).ratePerSecond).toBe(0);
  });
});
