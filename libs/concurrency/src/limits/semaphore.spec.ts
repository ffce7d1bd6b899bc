import { describe, expect, it } from '@jest/globals';
import { Semaphore } from './semaphore';

/** A job that runs until the test calls `end`. */
class Job {
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

const running = (jobs: readonly Job[]): readonly boolean[] => jobs.map(({ isRunning }) => isRunning);

describe('A semaphore', () => {
  it('runs a fixed number of jobs at a time, and starts the others in order', async () => {
    const semaphore = new Semaphore(2);
    const jobs = [1, 2, 3, 4].map(() => new Job(semaphore));
    expect(running(jobs)).toEqual([true, true, false, false]);
    jobs[1]?.end();
    await jobs[1]?.done;
    expect(running(jobs)).toEqual([true, true, true, false]);
    jobs.forEach((work) => {
      work.end();
    });
    await Promise.all(jobs.map(({ done }) => done));
    expect(running(jobs)).toEqual([true, true, true, true]);
  });

  it('gives the turn of a failed job to the next', async () => {
    const semaphore = new Semaphore(1);
    const failed = semaphore.run(() => Promise.reject(new Error('no')));
    const next = semaphore.run(() => Promise.resolve('next'));
    await expect(failed).rejects.toThrow('no');
    await expect(next).resolves.toBe('next');
  });

  it('removes an aborted waiter and keeps the order of the others', async () => {
    const semaphore = new Semaphore(1);
    const first = new Job(semaphore);
    const leaving = new AbortController();
    const second = new Job(semaphore, leaving.signal);
    const third = new Job(semaphore);
    leaving.abort(new Error('gone'));
    await expect(second.done).rejects.toThrow('gone');
    first.end();
    await first.done;
    expect(running([second, third])).toEqual([false, true]);
    await expect(new Job(semaphore, leaving.signal).done).rejects.toThrow('gone');
    third.end();
    await third.done;
    await expect(semaphore.run(() => Promise.resolve('free'))).resolves.toBe('free');
  });
});
