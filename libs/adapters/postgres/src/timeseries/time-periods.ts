import type { TimePeriods, TimeUnit } from '@stratalog/ports';
import { quote } from './timeseries-condition';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
/** Length of the units that always have the same one on a wall clock. */
const WIDTHS: Partial<Readonly<Record<TimeUnit, number>>> = {
  SECOND: SECOND_MS,
  MINUTE: 60 * SECOND_MS,
  HOUR: HOUR_MS,
  DAY: DAY_MS,
  WEEK: 7 * DAY_MS,
};
const MONTHS: Partial<Readonly<Record<TimeUnit, number>>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };
/** The last Monday before 1970. */
const FIRST_MONDAY_MS = -3 * DAY_MS;

/**
 * Writes the start of the period, in epoch ms, of a row `p` of `timeseries_value`.
 *
 * Periods of up to an hour are parts of the day's real hours, so that the two hours with the same name at the end of
 * summer time stay apart. Longer ones begin by the wall clock of the zone.
 */
export function toPeriodStart({ unit, multiple, timeZone }: TimePeriods): string {
  const months = MONTHS[unit];
  if (months !== undefined) return toMonthStart(months * multiple, timeZone);
  const width = (WIDTHS[unit] ?? DAY_MS) * multiple;
  const origin = unit === 'WEEK' ? FIRST_MONDAY_MS : 0;
  // Timestamps are not before 1970, so whole numbers suffice.
  if (timeZone === 'UTC')
    return `((p.timestamp_ms - (${String(origin)})) / ${String(width)} * ${String(width)} + (${String(origin)}))`;
  const local = toLocalMs(timeZone);
  if (width > HOUR_MS) {
    const start = floorTo(local, width, origin);
    return toEpochMs(`timestamp 'epoch' + ${start} * interval '1 millisecond'`, timeZone);
  }
  return `(${floorTo(local, width, origin)} - (${local} - p.timestamp_ms))`;
}

function toMonthStart(months: number, timeZone: string): string {
  const local = toLocal(timeZone);
  const month = `((extract(year from ${local}) - 1970) * 12 + extract(month from ${local}) - 1)`;
  const start = `(floor(${month} / ${String(months)}) * ${String(months)})::integer`;
  return toEpochMs(`timestamp 'epoch' + make_interval(months => ${start})`, timeZone);
}

function floorTo(ms: string, width: number, origin: number): string {
  const [size, first] = [String(width), String(origin)];
  return `(floor((${ms} - (${first}))::numeric / ${size}) * ${size} + (${first}))::bigint`;
}

function toLocal(timeZone: string): string {
  return `(to_timestamp(p.timestamp_ms / 1000.0) at time zone ${quote(timeZone)})`;
}

function toLocalMs(timeZone: string): string {
  return `(extract(epoch from ${toLocal(timeZone)}) * 1000)::bigint`;
}

function toEpochMs(local: string, timeZone: string): string {
  const zone = quote(timeZone);
  const last = `((${local}) at time zone ${zone})`;
  const first = `(${last} - interval '1 hour')`;
  // Of a time that the clock shows twice, the server takes the second one.
  const start = `case when ${first} at time zone ${zone} = (${local}) then ${first} else ${last} end`;
  return `(extract(epoch from ${start}) * 1000)::bigint`;
}
