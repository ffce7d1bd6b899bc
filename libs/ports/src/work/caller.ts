import { AsyncLocalStorage } from 'node:async_hooks';
import { TimeLimitError } from '@stratalog/model';

/** Whoever waits for the answer of a request, as stores and indices need to know it. */
export interface Caller {
  /** Aborts when the client no longer waits for the answer; the reason is the error to throw. */
  readonly gone: AbortSignal;
  /** How long one question to a store or an index may take, the wait for its turn included. **Units**: ms. */
  readonly timeLimitMs: number;
  /** Whether the request changes the store. Then its questions do not wait behind searches. */
  readonly writes: boolean;
}

const callers = new AsyncLocalStorage<Caller>();

/** Runs `work` for a caller: each question in it that reads is bounded by {@link withinLimits}. */
export function actFor<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work);
}

/** Runs `work` for the process itself: for work that several callers share, which must not end with the first of them. */
export function actForNobody<T>(work: () => T): T {
  return callers.exit(work);
}

/** The caller that the running work is for; `undefined` when it is the process's own. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}

/**
 * Asks one question within the limits of the current caller. `signal` aborts when the caller has gone and when the time is over; `ask`
 * then ends what it has under way and settles. Work of the process itself has no limits here, and no signal.
 *
 * **Errors**: `TimeLimitError` and `CancelledError` after `signal` has aborted, whatever `ask` throws by then.
 */
export async function withinLimits<T>(ask: (signal?: AbortSignal) => Promise<T>): Promise<T> {
  const caller = callers.getStore();
  if (caller === undefined) return ask();
  const { gone, timeLimitMs } = caller;
  const limits = new AbortController();
  const leave = (): void => {
    limits.abort(gone.reason);
  };
  const timer = setTimeout(() => {
    limits.abort(tooSlow(timeLimitMs));
  }, timeLimitMs);
  gone.addEventListener('abort', leave);
  if (gone.aborted) leave();
  try {
    limits.signal.throwIfAborted();
    return await ask(limits.signal);
  } catch (error) {
    throw limits.signal.aborted ? limits.signal.reason : error;
  } finally {
    clearTimeout(timer);
    gone.removeEventListener('abort', leave);
  }
}

function tooSlow(timeLimitMs: number): TimeLimitError {
  return new TimeLimitError(
    `No answer within ${String(timeLimitMs)} ms, the wait for a free connection included (STRATALOG_QUERY_TIMEOUT_MS). ` +
      'Ask for less, or repeat the request when the catalog has less to do',
  );
}
