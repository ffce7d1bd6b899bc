import type { TimePeriods } from '@stratalog/ports';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const WIDTHS = { SECOND: 1_000, MINUTE: 60_000, HOUR: HOUR_MS, DAY: DAY_MS, WEEK: 7 * DAY_MS };
const MONTHS = { MONTH: 1, QUARTER: 3, YEAR: 12 };
const MONDAY_MS = Date.UTC(1969, 11, 29);

/** Finds the start of the period of a time, by the clock of the zone. */
export function computePeriodStart(
  { unit, multiple }: TimePeriods,
  timeMs: number,
  clock: WallClock,
): number {
  const local = clock.toLocal(timeMs);
  if (unit === 'MONTH' || unit === 'QUARTER' || unit === 'YEAR') {
    const months = MONTHS[unit] * multiple;
    const date = new Date(local);
    const month = (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
    return clock.toEpoch(Date.UTC(1970, Math.floor(month / months) * months));
  }
  const width = WIDTHS[unit] * multiple;
  const origin = unit === 'WEEK' ? MONDAY_MS : 0;
  const start = Math.floor((local - origin) / width) * width + origin;
  return width <= HOUR_MS ? timeMs - (local - start) : clock.toEpoch(start);
}

/** The clock on a wall of a time zone, which it shows as the time that it would be in UTC. */
export class WallClock {
  private readonly format: Intl.DateTimeFormat | undefined;

  constructor(timeZone: string) {
    const [numeric, hourCycle] = ['numeric', 'h23'] as const;
    const date = { year: numeric, month: numeric, day: numeric } as const;
    const time = { hour: numeric, minute: numeric, second: numeric } as const;
    if (timeZone !== 'UTC')
      this.format = new Intl.DateTimeFormat('en', { timeZone, hourCycle, ...date, ...time });
  }

  toLocal(timeMs: number): number {
    if (this.format === undefined) return timeMs;
    const parts = new Map(this.format.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]));
    const [year = 0, month = 1, day] = [parts.get('year'), parts.get('month'), parts.get('day')];
    const [hour, minute, second] = [parts.get('hour'), parts.get('minute'), parts.get('second')];
    return Date.UTC(year, month - 1, day, hour, minute, second, timeMs % 1_000);
  }

  /** The first time at which it shows this. */
  toEpoch(localMs: number): number {
    const offsets = [-DAY_MS, 0, DAY_MS].map((ms) => this.toLocal(localMs + ms) - (localMs + ms));
    const [first] = offsets
      .map((offset) => localMs - offset)
      .filter((timeMs) => this.toLocal(timeMs) === localMs)
      .toSorted((a, b) => a - b);
    if (first === undefined) throw new RangeError(`no such time: ${new Date(localMs).toISOString()}`);
    return first;
  }
}
