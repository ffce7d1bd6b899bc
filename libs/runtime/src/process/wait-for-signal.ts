import { UnavailableError } from '@stratalog/model';
import type { RunningCatalog } from './run';

/**
 * Resolves with the signal when the process is told to stop. To be called before anything is started: a process that a signal
 * ends at once would leave its server running.
 */
export function waitForSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      // Repeated signals change nothing: the stop is under way and bounded.
      process.on(signal, resolve);
    }
    if (!process.connected) return;
    // Started by a program that holds a channel to us: its end, whichever way, is ours.
    process.once('disconnect', () => {
      resolve('SIGTERM');
    });
    process.channel?.unref();
  });
}

/** **Errors**: rejects when a server that the catalog needs has ended by itself; it never resolves. */
export function untilLost(catalog: Pick<RunningCatalog, 'onLost'>): Promise<never> {
  return new Promise((_resolve, reject) => {
    catalog.onLost((reason) => {
      reject(new UnavailableError(reason));
    });
  });
}
