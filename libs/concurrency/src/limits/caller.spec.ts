import { describe, expect, it } from '@jest/globals';
import { CancelledError, TimeLimitError } from '@stratalog/domain';
import { actFor, actForProcess, currentCaller, withinLimits, type Caller } from './caller';

const LONG_MS = 60_000;

/** A query that runs until its signal aborts. */
function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      reject(new Error('the statement was cancelled'));
    };
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end);
  });
}

function caller(disconnected: AbortSignal, timeLimitMs = LONG_MS): Caller {
  return { disconnected, timeLimitMs, writes: false };
}

describe('A query on behalf of a caller', () => {
  const { signal: stays } = new AbortController();

  it('fails after its time limit, and the error names the limit and its setting', async () => {
    const running = actFor(caller(stays, 10), () => withinLimits(untilAborted));
    await expect(running).rejects.toThrow(TimeLimitError);
    await expect(running).rejects.toThrow('No answer within 10 ms');
    await expect(running).rejects.toThrow('STRATALOG_QUERY_TIMEOUT_MS');
  });

  it('ends when the caller disconnects, and does not start after that', async () => {
    const client = new AbortController();
    const running = actFor(caller(client.signal), () => withinLimits(untilAborted));
    client.abort(new CancelledError('disconnected'));
    await expect(running).rejects.toThrow(CancelledError);
    let isStarted = false;
    const late = actFor(caller(client.signal), () =>
      withinLimits(() => {
        isStarted = true;
        return Promise.resolve();
      }),
    );
    await expect(late).rejects.toThrow(CancelledError);
    expect(isStarted).toBe(false);
  });

  it('fails with its own error while no limit is exceeded', async () => {
    const running = actFor(caller(stays), () => withinLimits(() => Promise.reject(new Error('rejected'))));
    await expect(running).rejects.toThrow('rejected');
  });

  it('has no limits when the process runs it for itself', async () => {
    const seen = await actFor(caller(stays), () =>
      actForProcess(() => withinLimits((signal) => Promise.resolve([signal, currentCaller()]))),
    );
    expect(seen).toEqual([undefined, undefined]);
  });
});
