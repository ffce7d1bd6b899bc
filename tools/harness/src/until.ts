import { setTimeout as pause } from 'node:timers/promises';

export interface UntilOptions {
  readonly limitMs: number;
  readonly pollMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const POLL_MS = 10;

/**
 * Repeats a query until it has a result, neither `undefined` nor `false`; `undefined` when the time has run
 * out.
 *
 * **Errors**: the abort's reason once `signal` has aborted.
 */
export async function until<T>(
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  { limitMs, pollMs = POLL_MS, signal }: UntilOptions,
): Promise<T | undefined> {
  const end = performance.now() + limitMs;
  for (;;) {
    signal?.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    if (performance.now() > end) return undefined;
    await pause(pollMs, undefined, { signal });
  }
}
