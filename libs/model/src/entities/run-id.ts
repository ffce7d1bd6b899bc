import { NO_RUN_ID, type SystemMetadata } from './system-metadata';

/** Runs are looked up by their id, and what an index holds must have a bound. **Units**: bytes of UTF-8. */
export const MAX_RUN_ID_BYTES = 256;

/** What is wrong with the id of a run; `undefined` when nothing is. */
export function runIdFault(runId: string): string | undefined {
  if (Buffer.byteLength(runId) > MAX_RUN_ID_BYTES) {
    return `is longer than ${String(MAX_RUN_ID_BYTES)} bytes of UTF-8`;
  }
  // A lone surrogate would become another character on its way, and the run would not be found by its own id.
  return runId.includes('\u0000') || /\p{Surrogate}/u.test(runId)
    ? 'has a NUL character or an unpaired surrogate'
    : undefined;
}

/** The run that a version was written by, where it names one by which it can be found. */
export function runOf({ runId }: SystemMetadata): string | undefined {
  if (typeof runId !== 'string' || runId === '' || runId === NO_RUN_ID) return undefined;
  return runIdFault(runId) === undefined ? runId : undefined;
}
