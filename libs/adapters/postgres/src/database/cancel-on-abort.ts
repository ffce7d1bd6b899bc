import { setTimeout as delay } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import type { Database } from './database';

/** A cancel request that arrives before its statement has no effect, so it is repeated at this interval. */
const RETRY_MS = 50;

/**
 * Runs `work` on a connection, and cancels its current statement when `signal` aborts.
 *
 * **Order and repeats**: settles when neither a statement nor a cancel request is in flight. A late cancel request
 * cannot hit the next user of the connection.
 */
export async function cancelOnAbort<T>(
  database: Database,
  client: PoolClient,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  if (signal === undefined) return work();
  // Made only when a statement is cancelled: a controller that aborts costs more than many a statement.
  let settled: AbortController | undefined;
  let cancelling = Promise.resolve();
  const cancel = (): void => {
    settled = new AbortController();
    cancelling = cancelUntil(settled.signal, database, client);
  };
  signal.addEventListener('abort', cancel, { once: true });
  try {
    signal.throwIfAborted();
    return await work();
  } finally {
    settled?.abort();
    signal.removeEventListener('abort', cancel);
    await cancelling;
  }
}

async function cancelUntil(settled: AbortSignal, database: Database, client: PoolClient): Promise<void> {
  const { processID } = client as PoolClient & { readonly processID: number };
  while (!settled.aborted) {
    // Without a free connection for the request, the statement ends by itself, at the latest at the server's time
    // limit.
    await database
      .use((other) => other.query('select pg_cancel_backend($1)', [processID]))
      .catch(() => undefined);
    await delay(RETRY_MS, undefined, { signal: settled }).catch(() => undefined);
  }
}
