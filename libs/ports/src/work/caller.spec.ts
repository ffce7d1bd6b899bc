import { describe, expect, it } from '@jest/globals';
import { CancelledError, TimeLimitError } from '@stratalog/model';
import { actFor, actForNobody, currentCaller, withinLimits, type Caller } from './caller';

const LONG_MS = 60_000;

/** A question that is answered when it is told to end. */
function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    const end = (): void => {
      reject(new Error('the statement was cancelled'));
    };
    if (signal?.aborted === true) end();
    signal?.addEventListener('abort', end);
  });
}

function caller(gone: AbortSignal, timeLimitMs = LONG_MS): Caller {
  return { gone, timeLimitMs, writes: false };
}

describe('A question for a caller', () => {
  const { signal: stays } = new AbortController();

  it('is ended when its time is over, with the limit and its setting', async () => {
    const asked = actFor(caller(stays, 10), () => withinLimits(untilAborted));
    await expect(asked).rejects.toThrow(TimeLimitError);
    await expect(asked).rejects.toThrow('No answer within 10 ms');
    await expect(asked).rejects.toThrow('STRATALOG_QUERY_TIMEOUT_MS');
  });

  it('is ended when the caller goes, and not begun when the caller has gone', async () => {
    const client = new AbortController();
    const asked = actFor(caller(client.signal), () => withinLimits(untilAborted));
    client.abort(new CancelledError('gone'));
    await expect(asked).rejects.toThrow(CancelledError);
    let isBegun = false;
    const late = actFor(caller(client.signal), () =>
      withinLimits(() => {
        isBegun = true;
        return Promise.resolve();
      }),
    );
    await expect(late).rejects.toThrow(CancelledError);
    expect(isBegun).toBe(false);
  });

  it('fails by its own reason as long as no limit was passed', async () => {
    const asked = actFor(caller(stays), () => withinLimits(() => Promise.reject(new Error('rejected'))));
    await expect(asked).rejects.toThrow('rejected');
  });

  it('has no limits when it is the own one of the process', async () => {
    const seen = await actFor(caller(stays), () =>
      actForNobody(() => withinLimits((signal) => Promise.resolve([signal, currentCaller()]))),
    );
    expect(seen).toEqual([undefined, undefined]);
  });
});
