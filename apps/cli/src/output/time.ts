import { InvalidArgumentError } from 'commander';

/** Formats a time for people; empty when there is none. */
export function formatTime(timeMs: unknown): string {
  return typeof timeMs === 'number' && Number.isFinite(timeMs) ? new Date(timeMs).toISOString() : '';
}

/** Parses an option that takes a time: ISO 8601, or epoch milliseconds. */
export function parseTime(text: string): number {
  const timeMs = /^\d{9,}$/.test(text) ? Number(text) : Date.parse(text);
  if (Number.isSafeInteger(timeMs) && timeMs >= 0) return timeMs;
  throw new InvalidArgumentError(
    'Must be a time like 2026-11-22 or 2026-11-22T10:00:00Z, or epoch milliseconds.',
  );
}

export interface TimeRange {
  readonly fromMs: number;
  readonly toMs?: number;
}

/** Parses an option that takes `FROM` or `FROM..TO`. */
export function parseTimeRange(text: string): TimeRange {
  const at = text.indexOf('..');
  if (at === -1) return { fromMs: parseTime(text) };
  return { fromMs: parseTime(text.slice(0, at)), toMs: parseTime(text.slice(at + 2)) };
}
