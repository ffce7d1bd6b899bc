import { setTimeout as pause } from 'node:timers/promises';

export interface UntilOptions {
  readonly limitMs: number;
  /** Without it, the pauses grow with the time waited so far. */
  readonly pollMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** A wait of seconds need not ask as often as a short one: that would take the processor from what it waits for. */
const SHARE_OF_WAITED = 0.04;
const FIRST_PAUSE_MS = 10;
const LAST_PAUSE_MS = 100;

/**
 * Repeats a query until it has a result, neither `undefined` nor `false`; `undefined` when the time has run
 * out.
 *
 * **Errors**: the abort's reason once `signal` has aborted.
 */
export async function until<T>(
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  { limitMs, pollMs, signal }: UntilOptions,
): Promise<T | undefined> {
  const begin = performance.now();
  for (;;) {
    signal?.throwIfAborted();
    const answer = await ask();
    if (answer !== undefined && answer !== false) return answer;
    const waitedMs = performance.now() - begin;
    if (waitedMs > limitMs) return undefined;
    await pause(pollMs ?? pauseAfter(waitedMs), undefined, { signal });
  }
}

/**
 * Repeats a query until it has a result, and returns that.
 *
 * **Errors**: the message names `what`, the thing waited for, and the limit; the abort's reason once `signal` has aborted.
 */
export async function waitFor<T>(
  ask: () => Promise<T | false | undefined> | T | false | undefined,
  { what, ...options }: UntilOptions & { readonly what: string },
): Promise<T> {
  const answer = await until(ask, options);
  if (answer !== undefined) return answer;
  throw new Error(`Waited ${String(options.limitMs)} ms in vain for ${what}`);
}

/** Returns the pause of `until` between two queries. **Units**: milliseconds, both. */
export function pauseAfter(waitedMs: number): number {
  return Math.min(LAST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, waitedMs * SHARE_OF_WAITED));
}
