import { describe, expect, it } from '@jest/globals';
import { Cached } from './cached';

describe('Cached', () => {
  let nowMs = 0;
  const counting = () => {
    let reads = 0;
    return new Cached(
      () => Promise.resolve(++reads),
      100,
      () => nowMs,
    );
  };

  it('reads once for all calls within its time, and again afterwards', async () => {
    const cached = counting();
    nowMs = 5;
    expect([await cached.current(), await cached.current()]).toEqual([1, 1]);
    nowMs = 104;
    expect(await cached.current()).toBe(1);
    nowMs = 105;
    expect(await cached.current()).toBe(2);
  });

  it('reads again once it has forgotten', async () => {
    const cached = counting();
    await cached.current();
    cached.forget();
    expect(await cached.current()).toBe(2);
  });

  it('does not cache a failed read', async () => {
    let fails = true;
    const cached = new Cached(
      () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve('there')),
      100,
      () => 0,
    );
    await expect(cached.current()).rejects.toThrow('gone');
    fails = false;
    expect(await cached.current()).toBe('there');
  });
});
