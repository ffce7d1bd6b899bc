import { describe, expect, it } from '@jest/globals';
import { RateMeter } from './load-rate';

describe('the rate of a load', () => {
  it('is that of its last seconds', () => {
    const meter = new RateMeter(1000);
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
    const sample = { seconds: 10, sent: 100, bytesRead: 0 };
    expect(new RateMeter(undefined).at(sample)).toEqual({
      ratePerSecond: 10,
      share: undefined,
      secondsLeft: undefined,
    });
    expect(new RateMeter(1000).at(sample).secondsLeft).toBeUndefined();
    expect(new RateMeter(1000).at({ ...sample, seconds: 0 }).ratePerSecond).toBe(0);
  });
});
