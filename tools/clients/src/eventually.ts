import { setTimeout as pause } from 'node:timers/promises';

const LIMIT_MS = 30_000;
const INTERVAL_MS = 100;

/**
 * Repeats a comparison until it holds: indices and asynchronous writes lag behind.
 *
 * **Errors**: rejects with the message of the last comparison after half a minute.
 */
export async function eventually(compare: () => Promise<void>): Promise<void> {
  const deadline = Date.now() + LIMIT_MS;
  for (;;) {
    try {
      await compare();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await pause(INTERVAL_MS);
  }
}
