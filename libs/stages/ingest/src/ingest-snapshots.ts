import { maxOffsets, type Position } from '@stratalog/model';
import type { IngestParts } from './ingest-proposal';
import { ingestProposalBatch } from './ingest-proposal-batch';
import type { SnapshotProposals } from './parse-snapshots';

/**
 * Writes snapshots one after another, each as one synchronous batch: whole or not at all. Those before one that fails stay.
 *
 * **Errors**: those of a batch.
 */
export async function ingestSnapshots(
  parts: IngestParts,
  snapshots: readonly SnapshotProposals[],
): Promise<Position | undefined> {
  let reached: Position | undefined;
  for (const proposals of snapshots) {
    const position = await ingestProposalBatch(parts, proposals, false);
    if (position === undefined) continue;
    const seqs = reached === undefined ? position.seqs : maxOffsets(reached.seqs, position.seqs);
    reached = { ...position, seqs };
  }
  return reached;
}
