import type { RunningCatalog } from '@stratalog/runtime';

/**
 * Resolves with the reason when the process is told to stop.
 *
 * **Errors**: rejects when a server that the catalog needs has ended by itself.
 */
export function untilStopped(catalog: Pick<RunningCatalog, 'onLost'>): Promise<string> {
  return new Promise((resolve, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // Repeated signals change nothing: the stop is under way and bounded.
      process.on(signal, () => {
        resolve(signal);
      });
    }
    catalog.onLost((reason) => {
      reject(new Error(`PostgreSQL has ended: ${reason}`));
    });
  });
}
