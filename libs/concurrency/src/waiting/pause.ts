import { setTimeout } from 'node:timers/promises';

/**
 * Resolves after `durationMs`, or as soon as `signal` aborts; the caller checks which. Resolves at once for 0 or less.
 */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  if (durationMs > 0) await setTimeout(durationMs, undefined, { signal }).catch(() => undefined);
}
