import { inParallel } from '@stratalog/concurrency';
import { maxOffsets, type Position } from '@stratalog/domain';
import type { IngestDeps } from '../proposals/ingest-proposal';
import { ingestProposalBatch } from '../proposals/ingest-proposal-batch';
import { rejectWrongReferences } from '../proposals/reject-wrong-references';
import type { SnapshotProposals } from './parse-snapshots';

/** Batches in flight; they share commits as the writes of as many callers would. */
const IN_FLIGHT = 64;

/**
 * Writes snapshots, each as one synchronous batch that is applied completely or not at all. The batches enter the log
 * in order without waiting for one another: when one fails, earlier ones and some later ones are written. A wrong
 * reference rejects all.
 *
 * **Errors**: those of a batch; of the first one that fails.
 */
export async function ingestSnapshots(
  deps: IngestDeps,
  snapshots: readonly SnapshotProposals[],
): Promise<Position | undefined> {
  for (const proposals of snapshots) {
    for (const proposal of proposals) {
      if (proposal.checkedBy === undefined) await rejectWrongReferences(deps, proposal);
    }
  }
  const positions = await inParallel(snapshots, IN_FLIGHT, (proposals) =>
    ingestProposalBatch(deps, proposals, { isAsync: false }),
  );
  return positions.reduce((reached, position) => {
    if (reached === undefined || position === undefined) return reached ?? position;
    return { ...position, seqs: maxOffsets(reached.seqs, position.seqs) };
  }, undefined);
}
