import { NotCaughtUpError, type Position } from '@stratalog/domain';
import type { PositionedReads } from '@stratalog/indexing';

export interface AwaitIndexesDeps {
  readonly searchReads: Pick<PositionedReads, 'waitUntil'>;
  readonly graphReads: Pick<PositionedReads, 'waitUntil'>;
}

/**
 * Resolves when searches and relationships include a write.
 *
 * **Errors**: `NotCaughtUpError` when an index does not in time; the write is committed all the same.
 */
export async function awaitIndexes(
  { searchReads, graphReads }: AwaitIndexesDeps,
  { seqs }: Position,
): Promise<void> {
  try {
    await Promise.all([searchReads.waitUntil(seqs), graphReads.waitUntil(seqs)]);
  } catch (error) {
    if (!(error instanceof NotCaughtUpError)) throw error;
    throw new NotCaughtUpError(`The write is committed, and not searchable yet. ${error.message}`);
  }
}
