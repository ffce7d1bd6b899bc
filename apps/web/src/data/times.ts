const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' });
const DAY_OF_YEAR = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
const FULL = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long' });

/** The times of JSON are numbers, or `bigint` when they are implausible. */
export function toMs(value: unknown): number | undefined {
  const ms = typeof value === 'bigint' ? Number(value) : value;
  return typeof ms === 'number' && Math.abs(ms) < 8.64e15 ? ms : undefined;
}

/** "3 min ago" up to seven days, then the date. */
export function relativeTime(ms: number, nowMs = Date.now()): string {
  const agoMs = nowMs - ms;
  if (agoMs < 0 || agoMs >= 7 * DAY_MS) return dateText(ms, nowMs);
  if (agoMs < MINUTE_MS) return 'just now';
  if (agoMs < HOUR_MS) return `${String(Math.floor(agoMs / MINUTE_MS))} min ago`;
  if (agoMs < DAY_MS) return `${String(Math.floor(agoMs / HOUR_MS))} h ago`;
  const days = Math.floor(agoMs / DAY_MS);
  return days === 1 ? 'yesterday' : `${String(days)} days ago`;
}

export function dateText(ms: number, nowMs = Date.now()): string {
  const isThisYear = new Date(ms).getFullYear() === new Date(nowMs).getFullYear();
  return (isThisYear ? DAY_OF_YEAR : DATE).format(ms);
}

export function momentText(ms: number): string {
  return MOMENT.format(ms);
}

export function fullTime(ms: number): string {
  return FULL.format(ms);
}

/** The time of an address, such as `2026-01-19T02:31Z`. **Units**: epoch milliseconds; `undefined`: none, or no time. */
export function readAt(at: string | undefined): number | undefined {
  const ms = at === undefined ? NaN : Date.parse(at);
  return Number.isNaN(ms) ? undefined : ms;
}

export function writeAt(ms: number): string {
  return new Date(ms)
    .toISOString()
    .replace(/\.000Z$/, 'Z')
    .replace(/:00Z$/, 'Z');
}

/** The time as an input of the browser has it: `2026-01-19T03:31`, in the browser's time zone. */
export function toLocal(ms: number): string {
  return new Date(ms - new Date(ms).getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}
