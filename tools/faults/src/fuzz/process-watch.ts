import { execFileSync } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpClient } from '../catalog/http-client';

const EVERY_MS = 100;

/** The memory that a process has in use. */
export function residentMb(pid: number): number {
  const kib = Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
  return Math.round(kib / 1024);
}

/**
 * Asks again and again, until `signal` aborts, for something that needs neither store nor index; answers how long the longest
 * answer took in milliseconds. The event loop was never held up for longer.
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
