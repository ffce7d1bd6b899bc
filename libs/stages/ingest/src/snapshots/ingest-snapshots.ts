import { maxOffsets, type Position } from '@stratalog/model';
import { inParallel } from '../proposals/in-parallel';
import type { IngestDeps } from '../proposals/ingest-proposal';
import { ingestProposalBatch } from '../proposals/ingest-proposal-batch';
import type { SnapshotProposals } from './parse-snapshots';

/** So many share commits, as if as many callers had sent them. */
const UNDER_WAY = 64;

/**
 * Writes snapshots, each as one synchronous batch: whole or not at all. They go into the log in their order, and do not wait for one another: should
 * one fail, those before it and some behind it are written.
 *
 * **Errors**: those of a batch; of the first one that fails.
 */
export async function ingestSnapshots(
  parts: IngestDeps,
  snapshots: readonly SnapshotProposals[],
): Promise<Position | undefined> {
  const positions = await inParallel(snapshots, UNDER_WAY, (proposals) =>
    ingestProposalBatch(parts, proposals, { isAsync: false }),
  );
  return positions.reduce((reached, position) => {
    if (reached === undefined || position === undefined) return reached ?? position;
    return { ...position, seqs: maxOffsets(reached.seqs, position.seqs) };
  }, undefined);
}
