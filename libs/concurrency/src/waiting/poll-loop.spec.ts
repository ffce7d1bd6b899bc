import { describe, expect, it } from '@jest/globals';
import { PollLoop } from './poll-loop';

/** Lets the callbacks of settled promises run. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A loop whose rounds and waits end when the test calls `succeed`, `fail` or `callNext`. */
function scriptedLoop(retryDelayMs = 0) {
  const events: string[] = [];
  let end: { resolve: (done: number) => void; reject: (error: unknown) => void } | undefined;
  let due: (() => void) | undefined;
  const loop = new PollLoop<number>({
    round: () => {
      events.push('round');
      return new Promise((resolve, reject) => (end = { resolve, reject }));
    },
    untilNext: (done, signal) => {
      events.push(`wait after ${String(done)}`);
      return new Promise((resolve) => {
        due = resolve;
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => {
          resolve();
        });
      });
    },
    retryDelayMs,
    onFailure: () => {
      events.push(`clean up while ${loop.status().state}`);
      return Promise.resolve();
    },
  });
  const then = (act: () => void): Promise<void> => {
    act();
    return settled();
  };
  return {
    loop,
    events,
    succeed: (done: number) => then(() => end?.resolve(done)),
    fail: (error: unknown) => then(() => end?.reject(error)),
    callNext: () => then(() => due?.()),
  };
}

describe('PollLoop', () => {
  it('runs rounds at an interval, whether they fail or not', async () => {
    let rounds = 0;
    const loop: PollLoop<void> = new PollLoop<void>({
      round: async () => {
        await settled();
        if (++rounds % 2 === 1) throw new Error(`round ${String(rounds)}`);
        if (rounds === 4) ended.abort();
      },
      everyMs: 1,
    });
    const ended = new AbortController();
    const end = new Promise((resolve) => {
      ended.signal.addEventListener('abort', resolve);
    });
    await loop.start();
    await end;
    await loop.stop();
    expect(rounds).toBe(4);
  });

  it('runs one round after another, each when it is due', async () => {
    const { loop, events, succeed, callNext } = scriptedLoop();
    expect(loop.status()).toEqual({ state: 'stopped' });
    await loop.start();
    expect(loop.status()).toEqual({ state: 'running' });
    await succeed(1);
    expect(events).toEqual(['round', 'wait after 1']);
    await callNext();
    await succeed(2);
    expect(events).toEqual(['round', 'wait after 1', 'round', 'wait after 2']);
    await loop.stop();
    expect(loop.status()).toEqual({ state: 'stopped' });
    await callNext();
    expect(events).toHaveLength(4);
  });

  it('reports the reason of a failed round until a round succeeds', async () => {
    const { loop, events, succeed, fail } = scriptedLoop();
    await loop.start();
    await fail(new Error('the store is away'));
    expect(events).toEqual(['round', 'clean up while retrying', 'round']);
    expect(loop.status()).toEqual({ state: 'retrying', reason: 'the store is away' });
    await succeed(1);
    expect(loop.status()).toEqual({ state: 'running' });
    await loop.stop();
  });

  it('ends the wait after a failure at a stop, and can be started again', async () => {
    const { loop, events, succeed, fail } = scriptedLoop(3_600_000);
    await loop.start();
    await fail('away');
    await loop.stop();
    expect(loop.status()).toEqual({ state: 'stopped' });
    await loop.start();
    await succeed(1);
    expect(events).toEqual(['round', 'clean up while retrying', 'round', 'wait after 1']);
    await loop.stop();
  });

  it('stops after the current round', async () => {
    const { loop, succeed } = scriptedLoop();
    await loop.start();
    let isStopped = false;
    const stop = loop.stop().then(() => (isStopped = true));
    await settled();
    expect(isStopped).toBe(false);
    await succeed(1);
    await stop;
    expect(isStopped).toBe(true);
  });
});
