import { setTimeout } from 'node:timers/promises';
import { UnavailableError } from '@stratalog/model';
import type { AspectStore, LoggedOutcome, LogPosition } from '@stratalog/ports';

const POLL_MS = 50;

/**
 * Waits until the writer has dealt with a logged proposal.
 *
 * **Errors**: `UnavailableError` after `timeoutMs`; the proposal stays in the log and is applied later.
 */
export async function awaitOutcome(
  store: AspectStore,
  position: LogPosition,
  urn: string,
  timeoutMs: number,
): Promise<Exclude<LoggedOutcome, { kind: 'pending' }>> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const outcome = await store.outcomeOf(position, urn);
    if (outcome.kind !== 'pending') return outcome;
    if (performance.now() > end) throw notYet(position, timeoutMs);
    await setTimeout(POLL_MS);
  }
}

function notYet({ partition, offset }: LogPosition, timeoutMs: number): UnavailableError {
  return new UnavailableError(
    `The proposal is in the log (partition ${String(partition)}, offset ${String(offset)}) and will be applied, ` +
      `but was not within ${String(timeoutMs)} ms`,
    { details: { partition, offset } },
  );
}
