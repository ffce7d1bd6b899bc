import type { CatalogClient } from '../connection/catalog-client';
import { CommandFailure, EXIT } from '../exit-code';
import { toRejection } from '../connection/rejection';

export interface WaitOptions {
  readonly seconds: number;
  readonly interrupted: AbortSignal;
}

/**
 * Returns when the search index has reached a position. The catalog waits a bounded time in each query; this
 * function repeats the query until its own time limit.
 *
 * **Errors**: {@link CommandFailure} with the progress of the index.
 */
export async function waitUntilSearchable(
  client: CatalogClient,
  position: string,
  { seconds, interrupted }: WaitOptions,
): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  for (;;) {
    const answer = await client.searchPosition(position);
    if (answer.status === 200) return;
    if (interrupted.aborted) throw new CommandFailure('interrupted', EXIT.interrupted);
    if (answer.status !== 503 || performance.now() > deadline) {
      throw new CommandFailure(
        `everything is stored, but not searchable after ${String(seconds)} s: ${toRejection(answer)}`,
        EXIT.rejected,
      );
    }
  }
}
