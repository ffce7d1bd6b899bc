import type { TimePeriods, TimeUnit } from '@stratalog/ports';

/** Milliseconds of the units that always have the same length in UTC. */
const WIDTHS: Partial<Readonly<Record<TimeUnit, string>>> = { SECOND: 's', MINUTE: 'm', HOUR: 'h', DAY: 'd' };
const CALENDAR: Partial<Readonly<Record<TimeUnit, string>>> = {
  MONTH: 'month',
  QUARTER: 'quarter',
  YEAR: 'year',
};
const DAYS_OF_WEEK = 7;
/** The last Monday before 1970, from 1970. */
const FIRST_MONDAY = '-3d';

/** Options of a histogram by dates. */
export type PeriodSource = Readonly<Record<string, string>>;

/**
 * Returns the histogram of periods that begin when those of the store do; `undefined` when the engine has none: several months
 * together, and periods of a time zone. The rules of time zones are those of each server's release, so a day may begin at another
 * moment in the engine than in the store, and a zone may be unknown there.
 *
 * **Source**: `docs/adr/0108-an-index-of-timeseries-values.md`.
 */
export function toPeriodSource({ unit, multiple, timeZone }: TimePeriods): PeriodSource | undefined {
  if (timeZone !== 'UTC') return undefined;
  const width = WIDTHS[unit];
  if (width !== undefined) return { fixed_interval: `${String(multiple)}${width}` };
  if (unit === 'WEEK') return { fixed_interval: `${String(multiple * DAYS_OF_WEEK)}d`, offset: FIRST_MONDAY };
  const calendar = CALENDAR[unit];
  return multiple === 1 && calendar !== undefined ? { calendar_interval: calendar } : undefined;
}
