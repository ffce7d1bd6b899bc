import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { CommitLinger } from './commit-linger';

const COMMIT_MS = 2;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Resolves after that much of the fake time. */
function pass(durationMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setInterval(() => {
      clearInterval(timer);
      resolve();
    }, durationMs);
  });
}

interface Commit {
  readonly atMs: number;
  readonly proposals: number;
}

/** A queue whose commits take 2 ms each. `send` resolves when the proposal is committed. */
class Queue {
  readonly commits: Commit[] = [];
  private readonly linger = new CommitLinger({ maxLingerMs: 10, enoughProposals: 16 });
  private readonly startedAt = performance.now();
  private waiting: (() => void)[] = [];
  private isRunning = false;

  send(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.linger.proposalAdded();
      if (!this.isRunning) void this.run();
    });
  }

  private async run(): Promise<void> {
    this.isRunning = true;
    while (this.waiting.length > 0) {
      await this.linger.turn(() => this.waiting.length);
      const taken = this.waiting;
      this.waiting = [];
      this.commits.push({ atMs: performance.now() - this.startedAt, proposals: taken.length });
      await pass(COMMIT_MS);
      this.linger.committed(taken.length, this.waiting.length);
      for (const resolve of taken) resolve();
    }
    this.isRunning = false;
  }
}

/** Callers that send one proposal after the other, each `thinkMs` after its answer. */
function call(queue: Queue, callers: number, thinkMs: number): void {
  const repeat = async (): Promise<void> => {
    for (;;) {
      await queue.send();
      await pass(thinkMs);
    }
  };
  for (let caller = 0; caller < callers; caller++) void repeat();
}

const settled = (commits: readonly Commit[]): readonly Commit[] => commits.filter(({ atMs }) => atMs >= 500);

function intervalsBetween(commits: readonly Commit[]): readonly number[] {
  return commits.slice(1).map(({ atMs }, at) => atMs - (commits[at]?.atMs ?? 0));
}

describe('CommitLinger', () => {
  it('lets a single caller never wait', async () => {
    const queue = new Queue();
    call(queue, 1, 1);
    await jest.advanceTimersByTimeAsync(1_000);
    const commits = settled(queue.commits);
    expect(commits.every(({ proposals }) => proposals === 1)).toBe(true);
    expect(commits.length).toBeGreaterThanOrEqual(500 / (COMMIT_MS + 1) - 1);
  });

  it('starts a commit as soon as all of a few callers are back', async () => {
    const queue = new Queue();
    call(queue, 4, 1);
    await jest.advanceTimersByTimeAsync(1_000);
    const commits = settled(queue.commits);
    expect(commits.every(({ proposals }) => proposals === 4)).toBe(true);
    expect(commits.length).toBeGreaterThanOrEqual(500 / (COMMIT_MS + 1) - 1);
  });

  it('waits once for a caller that does not come back', async () => {
    const queue = new Queue();
    void queue.send();
    call(queue, 1, 1);
    await jest.advanceTimersByTimeAsync(100);
    expect(queue.commits.slice(0, 4).map(({ proposals }) => proposals)).toEqual([2, 1, 1, 1]);
    expect(intervalsBetween(queue.commits).slice(0, 3)).toEqual([10, COMMIT_MS + 1, COMMIT_MS + 1]);
  });

  it('makes few commits of a steady stream, none later than the maximum linger', async () => {
    const queue = new Queue();
    const timer = setInterval(() => void queue.send(), 2);
    await jest.advanceTimersByTimeAsync(1_000);
    clearInterval(timer);
    const intervals = intervalsBetween(settled(queue.commits));
    expect(Math.max(...intervals)).toBeLessThanOrEqual(10);
    expect(intervals.length).toBeLessThanOrEqual(63);
  });

  it('does not wait with enough proposals', async () => {
    const queue = new Queue();
    call(queue, 64, 0);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(settled(queue.commits).length).toBeGreaterThanOrEqual(500 / COMMIT_MS - 2);
  });
});
