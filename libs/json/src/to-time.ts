const DIGITS = /^\d{9,16}$/;
const ISO_TIME = /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

/** Describes the accepted times, for a rejection. */
export const A_TIME = 'a time like 2026-11-22 or 2026-11-22T10:00:00Z, or epoch milliseconds';

/**
 * Converts a time: a day or an instant of ISO 8601, or epoch milliseconds as a number or digits; else `undefined`. A day
 * stands for its start in UTC.
 *
 * **Units**: epoch milliseconds.
 */
export function toTime(value: unknown): number | undefined {
  const timeMs = typeof value === 'string' ? parseTime(value.trim()) : value;
  return typeof timeMs === 'number' && Number.isSafeInteger(timeMs) && timeMs >= 0 ? timeMs : undefined;
}

function parseTime(text: string): number | undefined {
  if (DIGITS.test(text)) return Number(text);
  const day = ISO_TIME.exec(text)?.[1];
  if (day === undefined) return undefined;
  const dayMs = Date.parse(`${day}T00:00:00Z`);
  // `Date.parse` takes 30 February for 2 March.
  const isDay = !Number.isNaN(dayMs) && new Date(dayMs).toISOString().startsWith(day);
  return isDay ? Date.parse(text) : undefined;
}
