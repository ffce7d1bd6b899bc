import { InvalidArgumentError } from 'commander';

/** A time for people; empty when there is none. */
export function momentText(timeMs: unknown): string {
  return typeof timeMs === 'number' && Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : '';
}

/** Parser of an option that takes a time: ISO 8601, or epoch milliseconds. */
export function momentArgument(text: string): number {
  const timeMs = /^\d{9,}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(timeMs) && timeMs >= 0) return timeMs;
  throw new InvalidArgumentError(
    'Must be a time like 2026-11-22 or 2026-11-22T10:00:00Z, or epoch milliseconds.',
  );
}
