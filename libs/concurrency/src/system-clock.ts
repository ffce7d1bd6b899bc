import { UnavailableError } from '@stratalog/domain';
import type { Clock } from '@stratalog/ports';

export const systemClock: Clock = { now: () => Date.now() };

/**
 * Rejects a write before it is logged, when the writer would reject it for the clock. A clock that is absent is trusted.
 *
 * **Errors**: `UnavailableError` while the clock is implausible.
 */
export function rejectImplausible(clock: Clock | undefined): void {
  const doubt = clock?.doubt?.();
  if (doubt !== undefined) throw new UnavailableError(`Writes are rejected: ${doubt}`);
}
