import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { TimeseriesStatistics } from '@stratalog/ports';
import { entityNamed } from '@stratalog/registry';
import type { ReadDeps } from '../entities/view-entities';
import { requireStoredTimeZone } from '../statistics/require-time-zone';

export interface ChangeCountsRequest {
  readonly urn: string;
  readonly aspectNames?: readonly string[] | undefined;
  /** Epoch ms; both bounds are inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
  readonly timeZone: string;
}

const DAY_MS = 86_400_000;
/** A page draws one mark a day for about a quarter of a year. */
const DEFAULT_DAYS = 90;
/** Counting so many takes a good tenth of a second. */
const MAX_CHANGES = 100_000;

/**
 * Counts the changes of an entity by day.
 *
 * **Shape**: `{urn, entityName, startTime, endTime, total, days: [{startTime, changes}]}`; days without a change are left out.
 *
 * **Errors**: `InvalidRequestError` when the urn is malformed, its type or the time zone unknown, the range of times empty, or when it has more
 * than 100,000 changes. An entity without a write has no changes.
 */
export async function countChanges(
  {
    history,
    registry,
    clock,
    statistics,
  }: Pick<ReadDeps, 'history' | 'registry' | 'clock'> & { readonly statistics: TimeseriesStatistics },
  request: ChangeCountsRequest,
): Promise<JsonOutputObject> {
  const { urn, aspectNames = [], timeZone } = request;
  const { entityType } = entityNamed(registry, urn);
  const endTime = request.endTime ?? clock.now();
  const startTime = request.startTime ?? Math.max(0, endTime - DEFAULT_DAYS * DAY_MS);
  if (startTime > endTime) {
    throw new InvalidRequestError(
      `Parameter 'startTime': ${String(startTime)} is after endTime, which is ${String(endTime)}`,
    );
  }
  await requireStoredTimeZone(statistics, { timeZone, path: '/timeZone' });
  const days = await history.countChangesByDay({
    urn,
    ...(aspectNames.length > 0 && { aspectNames }),
    sinceMs: startTime,
    untilMs: endTime,
    timeZone,
    limit: MAX_CHANGES,
  });
  if (days === undefined) {
    throw new InvalidRequestError(
      `Parameter 'startTime': ${urn} has more than ${String(MAX_CHANGES)} changes from ${String(startTime)} to ${String(endTime)}; ask for a shorter time`,
    );
  }
  return {
    urn,
    entityName: entityType.name,
    startTime,
    endTime,
    total: days.reduce((sum, { count }) => sum + count, 0),
    days: days.map(({ startMs, count }) => ({ startTime: startMs, changes: count })),
  };
}
