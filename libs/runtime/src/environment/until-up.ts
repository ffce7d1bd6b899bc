import { setTimeout as pause } from 'node:timers/promises';
import { UnavailableError } from '@stratalog/domain';
import type { Logger } from '../logging/logger';

const WAIT_MS = 60_000;
const RETRY_DELAY_MS = 500;

/**
 * Opens a connection to a server that may not be up yet. It logs the wait once, under the name `what`.
 *
 * **Errors**: the error of `open` when waiting cannot fix it; its `UnavailableError` after a minute.
 */
export async function untilUp<T>(what: string, open: () => Promise<T>, logger: Logger): Promise<T> {
  const end = performance.now() + WAIT_MS;
  for (let isFirst = true; ; isFirst = false) {
    try {
      return await open();
    } catch (error) {
      if (!(error instanceof UnavailableError) || performance.now() > end) throw error;
      if (isFirst) logger.warn({ reason: reasonOf(error) }, `waiting for ${what}`);
      await pause(RETRY_DELAY_MS);
    }
  }
}

/** The innermost message is the most specific: `connect ECONNREFUSED 127.0.0.1:9092`. */
function reasonOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : error.message;
}
