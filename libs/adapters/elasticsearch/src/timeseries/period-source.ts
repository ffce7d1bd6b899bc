import type { TimePeriods, TimeUnit } from '@stratalog/ports';

/** Milliseconds of the units that always have the same length in UTC. */
const WIDTHS: Partial<Readonly<Record<TimeUnit, string>>> = { SECOND: 's', MINUTE: 'm', HOUR: 'h', DAY: 'd' };
const CALENDAR: Partial<Readonly<Record<TimeUnit, string>>> = {
  DAY: 'day',
  WEEK: 'week',
  MONTH: 'month',
  QUARTER: 'quarter',
  YEAR: 'year',
};
const DAYS_OF_WEEK = 7;
/** The last Monday before 1970, from 1970. */
const FIRST_MONDAY = '-3d';

/** Options of a histogram by dates. */
export type PeriodSource = Readonly<Record<string, string>>;

/** Zones by the names that engines and processes share. */
const ZONES = new Set(Intl.supportedValuesOf('timeZone'));

/**
 * Returns the histogram of periods that begin when those of the store do; `undefined` when the engine has none: several months
 * together, and several days or parts of days in a time zone.
 */
export function toPeriodSource({ unit, multiple, timeZone }: TimePeriods): PeriodSource | undefined {
  const calendar = CALENDAR[unit];
  if (timeZone !== 'UTC') {
    if (multiple !== 1 || calendar === undefined || !ZONES.has(timeZone)) return undefined;
    return { calendar_interval: calendar, time_zone: timeZone };
  }
  const width = WIDTHS[unit];
  if (width !== undefined) return { fixed_interval: `${String(multiple)}${width}` };
  if (unit === 'WEEK') return { fixed_interval: `${String(multiple * DAYS_OF_WEEK)}d`, offset: FIRST_MONDAY };
  return multiple === 1 && calendar !== undefined ? { calendar_interval: calendar } : undefined;
}
