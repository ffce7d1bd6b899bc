import { setTimeout } from 'node:timers/promises';

const POLL_MS = 10;
const LIMIT_MS = 60_000;

/**
 * Waits until a condition holds, checking it every 10 ms.
 *
 * **Errors**: rejects with the condition's text after `patienceMs`: 60 s by default, more on a slow or
 * crowded machine (`limitMs`).
 */
export async function until(condition: () => boolean | Promise<boolean>, patienceMs?: number): Promise<void> {
  const start = performance.now();
  while (!(await condition())) {
    const waitedMs = Math.round(performance.now() - start);
    if (waitedMs > (patienceMs ?? limitMs(LIMIT_MS)))
      throw new Error(`Waited ${String(waitedMs)} ms in vain for ${condition.toString()}`);
    await setTimeout(POLL_MS);
  }
}
