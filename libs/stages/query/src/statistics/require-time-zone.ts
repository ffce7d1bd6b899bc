import { InvalidRequestError } from '@stratalog/domain';
import type { TimeseriesStatistics } from '@stratalog/ports';
import type { Reject } from '../filters/read-criteria';

const EXAMPLE = 'an example is Europe/Berlin';

const NAME = /^[A-Za-z_]+(\/[A-Za-z0-9_+-]+){0,2}$/;

/**
 * Checks the `timeZone` of a request; UTC when it names none. Only names, because stores and JavaScript read offsets
 * differently.
 */
export function requireTimeZone(name: string | undefined, reject: Reject): string {
  if (name === undefined) return 'UTC';
  return toTimeZone(name) ?? reject('timeZone', `${name.slice(0, 100)} is no known time zone; ${EXAMPLE}`);
}

/**
 * Rejects a time zone that this process knows and the store does not: each has its own tables of time zones.
 *
 * **Errors**: `InvalidRequestError` with the path of the zone in the request.
 */
export async function requireStoredTimeZone(
  statistics: TimeseriesStatistics,
  { timeZone, path }: { readonly timeZone: string; readonly path: string },
): Promise<void> {
  if (await statistics.knowsTimeZone(timeZone)) return;
  throw new InvalidRequestError(`${path} :: ${timeZone} is no time zone of the store; ${EXAMPLE}`);
}

/** A name without a place, such as `CET`, stands for its zone: PostgreSQL reads it as an offset without summer time. */
function toTimeZone(name: string): string | undefined {
  if (!NAME.test(name)) return undefined;
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions();
    return name.includes('/') ? name : timeZone;
  } catch {
    return undefined;
  }
}
