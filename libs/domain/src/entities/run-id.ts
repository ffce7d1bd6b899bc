import { NO_RUN_ID, type SystemMetadata } from './system-metadata';

/** Longest run id. Stores index runs by their id, and an index key needs a bound. **Units**: bytes of UTF-8. */
export const MAX_RUN_ID_BYTES = 256;

const LONE_SURROGATE = /\p{Surrogate}/u;

/** Returns the fault of a run id, or `undefined` when the id is valid. */
export function runIdFault(runId: string): string | undefined {
  if (Buffer.byteLength(runId) > MAX_RUN_ID_BYTES) {
    return `is longer than ${String(MAX_RUN_ID_BYTES)} bytes of UTF-8`;
  }
  // An encoder replaces a lone surrogate by another character, so a lookup by the original id would miss the run.
  return runId.includes('\u0000') || LONE_SURROGATE.test(runId)
    ? 'has a NUL character or an unpaired surrogate'
    : undefined;
}

/** Returns the run that wrote a version, or `undefined` when its system metadata name no valid run id. */
export function runOf({ runId }: SystemMetadata): string | undefined {
  if (typeof runId !== 'string' || runId === '' || runId === NO_RUN_ID) return undefined;
  return runIdFault(runId) === undefined ? runId : undefined;
}
