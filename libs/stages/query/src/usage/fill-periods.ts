import type { SeriesRequest } from './query-series';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
type Duration = SeriesRequest['duration'];

/** A time inside the next period, counted from the start of any period: days have 23 to 25 hours, months 28 to 31 days. */
const INTO_NEXT_MS: Readonly<Record<Exclude<Duration, 'HOUR'>, number>> = {
  DAY: 36 * HOUR_MS,
  WEEK: 10 * DAY_MS,
  MONTH: 45 * DAY_MS,
  YEAR: 548 * DAY_MS,
};
/** A midnight that a change of clocks leaves out may be taken for one up to an hour away. */
const SAME_START_MS = 3 * HOUR_MS;

/**
 * Lists the starts of all periods from the first to the last, those without values included.
 *
 * **Shape**: epoch ms; `starts` are those of the periods with values, in order, and stay as they are.
 */
export function* fillPeriods(
  starts: readonly number[],
  { duration, timeZone }: Pick<SeriesRequest, 'duration' | 'timeZone'>,
): Generator<number, void> {
  const calendar = new Calendar(timeZone);
  let before: number | undefined;
  for (const start of starts) {
    const slack = duration === 'HOUR' ? 0 : SAME_START_MS;
    for (;;) {
      if (before === undefined) break;
      const next: number =
        duration === 'HOUR' ? before + HOUR_MS : calendar.startOf(before + INTO_NEXT_MS[duration], duration);
      if (next >= start - slack) break;
      yield next;
      before = next;
    }
    yield start;
    before = start;
  }
}

/** Days, weeks from Monday, months and years of a time zone. */
class Calendar {
  private readonly format: Intl.DateTimeFormat;

  constructor(timeZone: string) {
    const digits = 'numeric';
    this.format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: digits,
      month: digits,
      day: digits,
      hour: digits,
      minute: digits,
      second: digits,
    });
  }

  /** Returns the start of the period that contains a time. */
  startOf(timeMs: number, duration: Exclude<Duration, 'HOUR'>): number {
    const local = new Date(this.toLocal(timeMs));
    const [year, month, day] = [local.getUTCFullYear(), local.getUTCMonth(), local.getUTCDate()];
    switch (duration) {
      case 'DAY':
        return this.toEpoch(Date.UTC(year, month, day));
      case 'WEEK':
        return this.toEpoch(Date.UTC(year, month, day - ((local.getUTCDay() + 6) % 7)));
      case 'MONTH':
        return this.toEpoch(Date.UTC(year, month, 1));
      case 'YEAR':
        return this.toEpoch(Date.UTC(year, 0, 1));
      default:
        return duration satisfies never;
    }
  }

  /** The time on the clocks of the zone, as if they were those of UTC. */
  private toLocal(timeMs: number): number {
    const part: Record<string, number> = {};
    for (const { type, value } of this.format.formatToParts(timeMs)) part[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = part;
    return Date.UTC(year, month - 1, day, hour, minute, second);
  }

  /** Takes the offset of the day before where it gives this time, or where clocks leave the time out. */
  private toEpoch(localMs: number): number {
    const [before, after] = [-DAY_MS, DAY_MS].map((aside) => localMs - this.offsetAt(localMs + aside));
    const isAfter = this.toLocal(before ?? 0) !== localMs && this.toLocal(after ?? 0) === localMs;
    return (isAfter ? after : before) ?? localMs;
  }

  private offsetAt(timeMs: number): number {
    return this.toLocal(timeMs) - timeMs;
  }
}
