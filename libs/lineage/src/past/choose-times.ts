import { InvalidRequestError } from '@stratalog/domain';
import type { AspectHistory, AspectStore, Clock } from '@stratalog/ports';
import { findReadableTime } from './find-readable-time';

/** The times of a request. Epoch milliseconds. */
export interface SentTimes {
  /** Absent: a week before `to`, or the first change of the store, or the earliest time with few enough changes since. */
  readonly from?: number | undefined;
  /** Absent: now. */
  readonly to?: number | undefined;
}

/** A range of time, both ends included. Epoch milliseconds. */
export interface ComparedTimes {
  readonly fromMs: number;
  readonly toMs: number;
}

interface ChoosingDeps {
  readonly store: Pick<AspectStore, 'readPartitionSequences'>;
  readonly history: Pick<AspectHistory, 'positionAt'>;
  readonly clock: Pick<Clock, 'now'>;
}

const WEEK_MS = 7 * 86_400_000;

/**
 * Chooses the times that are compared.
 *
 * **Errors**: `InvalidRequestError` for times in the wrong order.
 */
export async function chooseTimes(
  { store, history, clock }: ChoosingDeps,
  { from, to }: SentTimes,
): Promise<ComparedTimes> {
  const toMs = to ?? clock.now();
  if (from === undefined) {
    const { firstChangeMs = toMs } = await history.positionAt(toMs);
    const fromMs = Math.min(toMs, Math.max(toMs - WEEK_MS, firstChangeMs));
    return { fromMs: await findReadableTime({ store, history }, { fromMs, toMs }), toMs };
  }
  if (from > toMs && from <= clock.now()) {
    throw new InvalidRequestError("Parameter 'from' is later than 'to'");
  }
  return { fromMs: from, toMs };
}
