import { distance } from '@stratalog/domain';
import type { PastDeps } from './past-deps';
import { MAX_CHANGES } from './past-changes';

/** Most changes since the time that is found. What is written before the past is opened has room below the limit. */
const REACH = 0.95 * MAX_CHANGES;
const PRECISION_MS = 1_000;

/**
 * Finds a time whose past can be opened: `fromMs`, or about the earliest one after it with few enough changes since.
 * It is `toMs` when all between have too many.
 */
export async function findReadableTime(
  {
    store,
    history,
  }: { readonly store: PastDeps['store']; readonly history: Pick<PastDeps['history'], 'positionAt'> },
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<number> {
  const sequences = await store.readPartitionSequences();
  const isReadable = async (timeMs: number): Promise<boolean> =>
    distance((await history.positionAt(timeMs)).position, sequences) <= REACH;
  if (await isReadable(fromMs)) return fromMs;
  let [tooEarly, found] = [fromMs, toMs];
  while (found - tooEarly > PRECISION_MS) {
    const middle = Math.floor((tooEarly + found) / 2);
    if (await isReadable(middle)) found = middle;
    else tooEarly = middle;
  }
  return found;
}
