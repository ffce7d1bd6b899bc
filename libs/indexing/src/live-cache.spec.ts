import { describe, expect, it } from '@jest/globals';
import { LiveCache } from './live-cache';

describe('LiveCache', () => {
  it('reads once for many queries, also when no version is live', async () => {
    for (const live of ['a', undefined]) {
      let reads = 0;
      const cache = new LiveCache<string>();
      const read = (): Promise<string | undefined> => Promise.resolve((reads++, live));
      for (let query = 0; query < 10; query++) expect(await cache.get(read)).toBe(live);
      expect(reads).toBe(1);
    }
  });

  it('reads again after a change of this process', async () => {
    const cache = new LiveCache<string>();
    await cache.get(() => Promise.resolve('a'));
    cache.forget();
    expect(await cache.get(() => Promise.resolve('b'))).toBe('b');
  });

  it('does not cache a version that was read before a change', async () => {
    const cache = new LiveCache<string>();
    const old = cache.get(() => {
      cache.forget();
      return Promise.resolve('a');
    });
    expect(await old).toBe('a');
    expect(await cache.get(() => Promise.resolve('b'))).toBe('b');
  });

  it('does not cache a failed read', async () => {
    const cache = new LiveCache<string>();
    await expect(cache.get(() => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await cache.get(() => Promise.resolve('a'))).toBe('a');
  });
});
