import { setTimeout } from 'node:timers/promises';

/** Resolves after a time, or as soon as `signal` aborts; who calls looks which it was. At once for 0 or less. */
export async function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  if (durationMs > 0) await setTimeout(durationMs, undefined, { signal }).catch(() => undefined);
}
