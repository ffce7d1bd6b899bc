import { until } from '@stratalog/harness';

const LIMIT_MS = 30_000;
const INTERVAL_MS = 100;

/**
 * Repeats a comparison until it holds: indices and asynchronous writes lag behind.
 *
 * **Errors**: rejects with the message of the last comparison after half a minute.
 */
export async function eventually(compare: () => Promise<void>): Promise<void> {
  let failure: unknown;
  const holds = (): Promise<boolean> =>
    compare().then(
      () => true,
      (error: unknown) => {
        failure = error;
        return false;
      },
    );
  if ((await until(holds, { limitMs: LIMIT_MS, pollMs: INTERVAL_MS })) === undefined) throw failure;
}
