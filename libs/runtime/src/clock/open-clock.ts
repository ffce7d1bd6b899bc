import { PostgresStoreClock, type Database } from '@stratalog/adapters-postgres';
import { PollLoop } from '@stratalog/concurrency';
import type { Clock } from '@stratalog/ports';
import type { Logger } from '../logging/logger';
import { PlausibleClock, dayOf } from './plausible-clock';
import type { Settings } from '../settings/settings';

const COMPARE_EVERY_MS = 10_000;
const SEEN_EVERY_MS = 60_000;
const DAY_MS = 86_400_000;

export interface OpenClock {
  readonly clock: Clock;
  stop(): Promise<void>;
}

/**
 * Opens the clock of a process over a store: compared with the store before any other step, and periodically.
 * A clock that is accepted by its day first corrects the stamps that lie ahead of it.
 *
 * **Errors**: `UnavailableError` when the store does not answer the first time.
 */
export async function openClock(
  database: Database,
  { maxClockStepMs, maxIdleMs, acceptClock }: Settings,
  logger: Logger,
): Promise<OpenClock> {
  const store = new PostgresStoreClock(database);
  const isAccepted = isDay(acceptClock, Date.now());
  const clock = new PlausibleClock({ maxStepMs: maxClockStepMs, maxIdleMs, isAccepted });
  if (isAccepted) {
    const corrected = await store.correct(clock.now());
    if (corrected > 0) logger.warn({ corrected }, 'stamps that lay in the future were set to now');
  } else if (acceptClock !== undefined) {
    const reason = `the clock says ${dayOf(clock.now())}`;
    logger.warn({ acceptClock, reason }, 'STRATALOG_ACCEPT_CLOCK names another day and has no effect');
  }
  const compare = comparison(store, clock, logger);
  await compare();
  const rounds = new PollLoop({ round: compare, everyMs: COMPARE_EVERY_MS });
  await rounds.start();
  return { clock, stop: () => rounds.stop() };
}

/** Logs each change of the clock's plausibility, and records in the store that a plausible clock uses it. */
function comparison(store: PostgresStoreClock, clock: PlausibleClock, logger: Logger): () => Promise<void> {
  let before: string | undefined;
  let seenAt = -Infinity;
  return async () => {
    const reason = clock.compare(await store.read());
    if (reason !== undefined && before === undefined)
      logger.error(
        { reason },
        'the clock is not plausible: writes are rejected, and retention truncates nothing',
      );
    if (reason === undefined && before !== undefined) logger.info('the clock is plausible again');
    before = reason;
    if (reason !== undefined || performance.now() - seenAt < SEEN_EVERY_MS) return;
    await store.seen(clock.now());
    seenAt = performance.now();
  };
}

/** The day may have changed since the operator read it, or differ in the operator's time zone. */
function isDay(day: string | undefined, nowMs: number): boolean {
  if (day === undefined) return false;
  const noon = Date.parse(`${day}T12:00:00Z`);
  return Math.abs(nowMs - noon) <= 1.5 * DAY_MS;
}
