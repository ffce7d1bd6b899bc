import { NotCaughtUpError, type Position, type Proposal, type UnknownNames } from '@stratalog/domain';
import type { PositionedReads } from '@stratalog/indexing';

export interface AwaitIndexesDeps {
  readonly searchReads: Pick<PositionedReads, 'waitUntil'>;
  readonly graphReads: Pick<PositionedReads, 'waitUntil'>;
}

/**
 * Resolves when searches and relationships include a write. When an index does not in time, the write is committed all the same: a write that may
 * be sent again ends in an error, so that the client does; the result of any other is that it is there, with a warning.
 *
 * **Errors**: `NotCaughtUpError`.
 */
export async function awaitIndexes(
  { searchReads, graphReads }: AwaitIndexesDeps,
  { seqs }: Position,
  { proposals, unknown }: AwaitedWrite,
): Promise<void> {
  try {
    await Promise.all([searchReads.waitUntil(seqs), graphReads.waitUntil(seqs)]);
  } catch (error) {
    if (!(error instanceof NotCaughtUpError)) throw error;
    const reason = `The write is committed, and not searchable yet. ${error.message}`;
    if (proposals.every(isRepeatable)) throw new NotCaughtUpError(reason);
    unknown.reportSentence(reason);
  }
}

interface AwaitedWrite {
  readonly proposals: readonly Proposal[];
  readonly unknown: UnknownNames;
}

/** True when the same proposal again leaves the same value: a condition may hold once only, and so may the test of a patch. */
function isRepeatable({ changeType, headers = {} }: Proposal): boolean {
  return changeType === 'UPSERT' && Object.keys(headers).length === 0;
}
