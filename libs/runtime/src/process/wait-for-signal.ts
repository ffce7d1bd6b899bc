import { UnavailableError } from '@stratalog/domain';
import type { RunningCatalog } from './run';

/** The signal of those that run processes for others; a person at a terminal sends SIGINT, and waits for nothing. */
export const DRAINING_SIGNAL = 'SIGTERM';

/**
 * Resolves with the signal when the process receives one. Call it before starting a server: a process that a
 * signal ends at once would leave its server running.
 */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // Repeated signals change nothing: the stop is under way and bounded.
      process.on(signal, resolve);
    }
    if (!process.connected) return;
    // A parent process that holds a channel to this one started it, so the end of the parent ends this
    // process.
    process.once('disconnect', () => {
      resolve('SIGHUP');
    });
    process.channel?.unref();
  });
}

/** **Errors**: rejects when a required server has ended by itself; it never resolves. */
export function untilLost(catalog: Pick<RunningCatalog, 'onLost'>): Promise<never> {
  return new Promise((_resolve, reject) => {
    catalog.onLost((reason) => {
      reject(new UnavailableError(reason));
    });
  });
}
