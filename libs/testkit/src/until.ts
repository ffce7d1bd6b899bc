import { setTimeout } from 'node:timers/promises';

const POLL_MS = 10;
const LIMIT_MS = 60_000;

/**
 * Waits until a condition holds, looking again and again.
 *
 * **Errors**: rejects after `limitMs`, 60 s by default, with the condition's text.
 */
export async function until(condition: () => boolean | Promise<boolean>, limitMs = LIMIT_MS): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`Waited ${String(limitMs)} ms in vain for ${condition.toString()}`);
    await setTimeout(POLL_MS);
  }
}
