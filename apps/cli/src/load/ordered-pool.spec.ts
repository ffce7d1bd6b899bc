import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { OrderedPool } from './ordered-pool';

const ROOM = { maxWaiting: 100, maxWaitingSize: 100 };

describe('an ordered pool', () => {
  it('starts the jobs of a key in order and never two at once, and never more than it may', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.scheduler(),
        fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 30 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        async (scheduler, keys, concurrency, maxWaiting) => {
          const pool = new OrderedPool({ concurrency, maxWaiting, maxWaitingSize: 1000 });
          const running: string[] = [];
          const done: { key: string; index: number }[] = [];
          const all = (async () => {
            for (const [index, key] of keys.entries()) {
              await pool.add(key, {
                size: 1,
                run: async () => {
                  expect(running).not.toContain(key);
                  running.push(key);
                  expect(running.length).toBeLessThanOrEqual(concurrency);
                  await scheduler.schedule(Promise.resolve(), key);
                  running.splice(running.indexOf(key), 1);
                  done.push({ key, index });
                },
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

  it('makes its caller wait while too much waits already', async () => {
    const pool = new OrderedPool({ concurrency: 1, maxWaiting: 100, maxWaitingSize: 10 });
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    await pool.add('a', { size: 5, run: () => gate });
    let added = false;
    const adding = pool.add('b', { size: 12, run: () => Promise.resolve() }).then(() => {
      added = true;
    });
    await Promise.resolve();
    expect(added).toBe(false);
    release();
    await adding;
    await pool.drain();
  });

  it('passes the error of a job on and starts nothing more', async () => {
    const pool = new OrderedPool({ concurrency: 1, ...ROOM });
    let started = 0;
    const job = (run: () => Promise<void>) => ({ size: 1, run });
    await pool.add(
      'a',
      job(() => Promise.reject(new Error('broken'))),
    );
    await pool
      .add(
        'a',
        job(() => {
          started++;
          return Promise.resolve();
        }),
      )
      .catch(() => undefined);
    await expect(pool.drain()).rejects.toThrow('broken');
    expect(started).toBe(0);
  });

  it('forgets what has not started when it is stopped', async () => {
    const pool = new OrderedPool({ concurrency: 1, ...ROOM });
    const started: string[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    for (const key of ['a', 'a', 'b']) {
      await pool.add(key, {
        size: 1,
        run: () => {
          started.push(key);
          return gate;
        },
      });
    }
    pool.stop();
    release();
    await pool.drain();
    expect(started).toEqual(['a']);
  });
});
