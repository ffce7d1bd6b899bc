import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OrderedPool } from './ordered-pool';

describe('an ordered pool', () => {
  it('runs the jobs of a key in order, one at a time, within the concurrency limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        async (scheduler, keys, concurrency) => {
          const pool = new OrderedPool(concurrency);
          const running: string[] = [];
          const done: { key: string; index: number }[] = [];
          const all = (async () => {
            for (const [index, key] of keys.entries()) {
              pool.add(key, async () => {
                expect(running).not.toContain(key);
                running.push(key);
                expect(running.length).toBeLessThanOrEqual(concurrency);
                await scheduler.schedule(Promise.resolve(), key);
                running.splice(running.indexOf(key), 1);
                done.push({ key, index });
              });
            }
            await pool.drain();
          })();
          await scheduler.waitFor(all);
          expect(done).toHaveLength(keys.length);
          for (const key of new Set(keys)) {
            const order = done.filter((job) => job.key === key).map(({ index }) => index);
            expect(order).toEqual([...order].sort((a, b) => a - b));
          }
        },
      ),
    );
  });

  it('passes on the error of a job and starts no other', async () => {
    const pool = new OrderedPool(1);
    let started = 0;
    pool.add('a', () => Promise.reject(new Error('broken')));
    pool.add('a', () => {
      started++;
      return Promise.resolve();
    });
    await expect(pool.drain()).rejects.toThrow('broken');
    expect(started).toBe(0);
  });

  it('discards waiting jobs when it is stopped', async () => {
    const pool = new OrderedPool(1);
    const started: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const key of ['a', 'a', 'b']) {
      pool.add(key, () => {
        started.push(key);
        return gate;
      });
    }
    pool.stop();
    release();
    await pool.drain();
    expect(started).toEqual(['a']);
  });
});
