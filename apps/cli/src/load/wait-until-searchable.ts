import { CallFailure, orFailure } from '../connection/call-failure';
import type { CatalogClient } from '../connection/catalog-client';
import { CommandFailure, EXIT } from '../exit-code';
import { readIndexPosition } from '../connection/read-index-position';

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
    const reply = await orFailure(readIndexPosition(client, position));
    if (!(reply instanceof CallFailure)) return;
    if (interrupted.aborted) throw new CommandFailure('interrupted', EXIT.interrupted);
    if (reply.status !== 503 || performance.now() > deadline) {
      throw new CommandFailure(
        `everything is stored, but not searchable after ${String(seconds)} s: ${reply.message}`,
        EXIT.rejected,
      );
    }
  }
}
