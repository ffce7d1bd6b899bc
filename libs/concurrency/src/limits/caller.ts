import { AsyncLocalStorage } from 'node:async_hooks';
import { TimeLimitError } from '@stratalog/domain';

/** The client that waits for the answer of a request, as stores and indices need to know it. */
export interface Caller {
  /** Aborts when the client no longer waits for the answer; the reason is the error to throw. */
  readonly disconnected: AbortSignal;
  /** Maximum duration of one query to a store or an index, including the wait for a connection. **Units**: ms. */
  readonly timeLimitMs: number;
  /** True when the request changes the store. Its queries then do not wait behind searches. */
  readonly writes: boolean;
}

const callers = new AsyncLocalStorage<Caller>();

/** Runs `work` on behalf of a caller. {@link withinLimits} bounds each query in it. */
export function actFor<T>(caller: Caller, work: () => T): T {
  return callers.run(caller, work);
}

/** Runs `work` on behalf of the process. Work that several callers share must not end with the first of them. */
export function actForProcess<T>(work: () => T): T {
  return callers.exit(work);
}

/** The caller of the running work; `undefined` when the process runs it for itself. */
export function currentCaller(): Caller | undefined {
  return callers.getStore();
}

/**
 * Runs one query within the limits of the current caller.
 *
 * `signal` aborts when the caller disconnects or the time limit passes; `ask` then cancels its work and settles. Work
 * of the process itself has no limits and no signal.
 *
 * **Errors**: `TimeLimitError` and `CancelledError` after `signal` has aborted, whatever `ask` throws.
 */
export async function withinLimits<T>(ask: (signal?: AbortSignal) => Promise<T>): Promise<T> {
  const caller = callers.getStore();
  if (caller === undefined) return ask();
  const { disconnected, timeLimitMs } = caller;
  const limits = new AbortController();
  const leave = (): void => {
    limits.abort(disconnected.reason);
  };
  const timer = setTimeout(() => {
    limits.abort(tooSlow(timeLimitMs));
  }, timeLimitMs);
  disconnected.addEventListener('abort', leave);
  if (disconnected.aborted) leave();
  try {
    limits.signal.throwIfAborted();
    return await ask(limits.signal);
  } catch (error) {
    throw limits.signal.aborted ? limits.signal.reason : error;
  } finally {
    clearTimeout(timer);
    disconnected.removeEventListener('abort', leave);
  }
}

function tooSlow(timeLimitMs: number): TimeLimitError {
  return new TimeLimitError(
    `No answer within ${String(timeLimitMs)} ms, the wait for a free connection included (STRATALOG_QUERY_TIMEOUT_MS). ` +
      'Ask for less, or repeat the request when the catalog has less to do',
  );
}
