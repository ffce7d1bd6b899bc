import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RequestBatching } from './request-batching';

const OPTIONS = { leastMs: 10, mostMs: 25, worthwhile: 6, enough: 20 };

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** Lets one record come every so many milliseconds, for a second, and tells when requests began and how many records each had. */
async function stream(everyMs: number): Promise<{ readonly atMs: number; readonly records: number }[]> {
  const gathering = new RequestBatching(OPTIONS);
  const requests: { atMs: number; records: number }[] = [];
  const startedAt = performance.now();
  let waiting = 0;
  let running = false;
  const run = async (): Promise<void> => {
    running = true;
    while (waiting > 0) {
      await gathering.turn(() => waiting);
      requests.push({ atMs: performance.now() - startedAt, records: waiting });
      waiting = 0;
    }
    running = false;
  };
  const timer = setInterval(() => {
    waiting++;
    gathering.grew();
    if (!running) void run();
  }, everyMs);
  await jest.advanceTimersByTimeAsync(1_000);
  clearInterval(timer);
  await jest.runAllTimersAsync();
  return requests;
}

/** Of the last half of a second. */
const settled = (requests: readonly { atMs: number; records: number }[]): readonly number[] =>
  requests.filter(({ atMs }) => atMs >= 500 && atMs < 1_000).map(({ records }) => records);

describe('a request that waits for company', () => {
  it('goes at once after a pause', async () => {
    const requests = await stream(100);
    expect(requests.map(({ atMs, records }) => [atMs, records])).toEqual(
      Array.from({ length: 10 }, (_, at) => [100 * (at + 1), 1]),
    );
  });

  it('waits no longer than the least while few come', async () => {
    const sizes = settled(await stream(5));
    expect(sizes.length).toBeGreaterThanOrEqual(49);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(3);
  });

  it('waits longer while a steady stream joins it', async () => {
    const sizes = settled(await stream(3));
    expect(sizes.length).toBeLessThanOrEqual(21);
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(8);
  });

  it('goes when it has enough, but not before the least', async () => {
    const gathering = new RequestBatching(OPTIONS);
    const begun: number[] = [];
    const startedAt = performance.now();
    const next = async (waiting: () => number): Promise<void> => {
      await gathering.turn(waiting);
      begun.push(performance.now() - startedAt);
    };
    await next(() => 1);
    void next(() => 500);
    await jest.advanceTimersByTimeAsync(10);
    expect(begun).toEqual([0, 10]);

    let waiting = 1;
    void next(() => waiting);
    await jest.advanceTimersByTimeAsync(12);
    gathering.grew();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 10]);
    waiting = 20;
    gathering.grew();
    await jest.advanceTimersByTimeAsync(0);
    expect(begun).toEqual([0, 10, 22]);
  });
});
