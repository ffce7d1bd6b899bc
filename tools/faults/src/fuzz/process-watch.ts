import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from '@stratalog/harness';

const EVERY_MS = 100;

/** Returns the resident memory of a process. */
export function residentMb(pid: number): number {
  const kib = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  return Math.round(kib / 1024);
}

/**
 * Repeats a request that needs neither store nor index until `signal` aborts; returns the longest answer time
 * in milliseconds. The event loop was never blocked for longer.
 */
export async function longestAnswerMs(http: HttpClient, signal: AbortSignal): Promise<number> {
  let longest = 0;
  while (!signal.aborted) {
    const askedAt = performance.now();
    await http.ask({ method: 'GET', path: '/config' });
    longest = Math.max(longest, performance.now() - askedAt);
    await pause(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
  return Math.round(longest);
}
