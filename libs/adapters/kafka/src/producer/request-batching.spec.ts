import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RequestBatching } from './request-batching';

const OPTIONS = { minLingerMs: 10, maxLingerMs: 25, minExpectedRecords: 6, enoughRecords: 20 };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Adds a record every `everyMs` for one second. Returns the start and the number of records of each request. */
async function stream(everyMs: number): Promise<{ readonly atMs: number; readonly records: number }[]> {
  const batching = new RequestBatching(OPTIONS);
  const requests: { atMs: number; records: number }[] = [];
  const startedAt = performance.now();
  let waiting = 0;
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting > 0) {
      await batching.turn(() => waiting);
      requests.push({ atMs: performance.now() - startedAt, records: waiting });
      waiting = 0;
    }
    running = false;
  };
  const timer = setInterval(() => {
    waiting++;
    batching.recordAdded();
    if (!running) void run();
  }, everyMs);
  await jest.advanceTimersByTimeAsync(1_000);
  clearInterval(timer);
  await jest.runAllTimersAsync();
  return requests;
}

/** Sizes of the requests in the last half second. */
const settled = (requests: readonly { atMs: number; records: number }[]): readonly number[] =>
  requests.filter(({ atMs }) => atMs >= 500 && atMs < 1_000).map(({ records }) => records);

describe('RequestBatching', () => {
  it('starts a request at once after a pause', async () => {
    const requests = await stream(100);
    expect(requests.map(({ atMs, records }) => [atMs, records])).toEqual(
      Array.from({ length: 10 }, (_, at) => [100 * (at + 1), 1]),
    );
  });

  it('waits only for the minimum linger while few records arrive', async () => {
    const sizes = settled(await stream(5));
    expect(sizes.length).toBeGreaterThanOrEqual(49);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
  });

  it('waits longer while a steady stream of records arrives', async () => {
    const sizes = settled(await stream(3));
    expect(sizes.length).toBeLessThanOrEqual(21);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(8);
  });

  it('starts a request with enoughRecords records, but not before the minimum linger', async () => {
    const batching = new RequestBatching(OPTIONS);
    const startedAtMs: number[] = [];
    const startedAt = performance.now();
    const next = async (waiting: () => number): Promise<void> => {
      await batching.turn(waiting);
      startedAtMs.push(performance.now() - startedAt);
    };
    await next(() => 1);
    void next(() => 500);
    await jest.advanceTimersByTimeAsync(10);
    expect(startedAtMs).toEqual([0, 10]);

    let waiting = 1;
    void next(() => waiting);
    await jest.advanceTimersByTimeAsync(12);
    batching.recordAdded();
    await jest.advanceTimersByTimeAsync(0);
    expect(startedAtMs).toEqual([0, 10]);
    waiting = 20;
    batching.recordAdded();
    await jest.advanceTimersByTimeAsync(0);
    expect(startedAtMs).toEqual([0, 10, 22]);
  });
});
