import { waitFor } from '@stratalog/harness';

const LIMIT_MS = 60_000;

/**
 * Waits until a condition holds, checking it every 10 ms at first, and less often when it takes seconds.
 *
 * **Errors**: rejects with the condition's text after `patienceMs`: 60 s by default, more on a slow or
 * crowded machine (`limitMs`).
 */
export async function until(
  condition: () => boolean | Promise<boolean>,
  patienceMs = limitMs(LIMIT_MS),
): Promise<void> {
  await waitFor(condition, { what: condition.toString(), limitMs: patienceMs });
}
