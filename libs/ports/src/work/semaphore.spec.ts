import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './semaphore';

/** A work that ends when it is told to. */
class Work {
  isRunning = false;
  readonly done: Promise<void>;
  end: () => void = () => undefined;

  constructor(semaphore: Semaphore, signal?: AbortSignal) {
    const ended = new Promise<void>((resolve) => (this.end = resolve));
    this.done = semaphore.run(async () => {
      this.isRunning = true;
      await ended;
    }, signal);
  }
}

const running = (works: readonly Work[]): readonly boolean[] => works.map(({ isRunning }) => isRunning);

describe('A semaphore', () => {
  it('runs so many works at a time, and the others in their order', async () => {
    const semaphore = new Semaphore(2);
    const works = [1, 2, 3, 4].map(() => new Work(semaphore));
    expect(running(works)).toEqual([true, true, false, false]);
    works[1]?.end();
    await works[1]?.done;
    expect(running(works)).toEqual([true, true, true, false]);
    works.forEach((work) => {
      work.end();
    });
    await Promise.all(works.map(({ done }) => done));
    expect(running(works)).toEqual([true, true, true, true]);
  });

  it('gives the turn of a work that failed to the next', async () => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(() => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
  });

  it('lets go of who no longer waits, and keeps the turns of the others', async () => {
    const semaphore = new Semaphore(1);
    const first = new Work(semaphore);
    const leaving = new AbortController();
    const second = new Work(semaphore, leaving.signal);
    const third = new Work(semaphore);
    leaving.abort(new Error('gone'));
    await expect(second.done).rejects.toThrow('gone');
    first.end();
    await first.done;
    expect(running([second, third])).toEqual([false, true]);
    await expect(new Work(semaphore, leaving.signal).done).rejects.toThrow('gone');
    third.end();
    await third.done;
    await expect(semaphore.run(() => Promise.resolve('free'))).resolves.toBe('free');
  });
});
