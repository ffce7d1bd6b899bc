import { InvalidProposalError, rejectionAt, type Position } from '@stratalog/domain';
import { ingestProposal, type IngestDeps, type IngestOptions } from '../proposals/ingest-proposal';
import { ingestProposalBatch } from '../proposals/ingest-proposal-batch';
import type { PlacedProposal } from './parse-entities';

/**
 * Submits the proposals of one call of OpenAPI clients, as `ingestProposal` and `ingestProposalBatch` do.
 *
 * **Errors**: theirs; that of one proposal among several names its place in the body.
 */
export async function writeEntities(
  deps: IngestDeps,
  placed: readonly PlacedProposal[],
  options: IngestOptions,
): Promise<Position | undefined> {
  const [first, ...others] = placed;
  if (first !== undefined && others.length === 0) return ingestProposal(deps, first.proposal, options);
  const proposals = placed.map(({ proposal }) => proposal);
  try {
    return await ingestProposalBatch(deps, proposals, options);
  } catch (error) {
    throw error instanceof InvalidProposalError ? atPlace(error, placed) : error;
  }
}

/** The writer knows the proposals by their numbers, and the caller knows the places in its body. */
function atPlace(error: InvalidProposalError, placed: readonly PlacedProposal[]): InvalidProposalError {
  for (const [at, { place }] of placed.entries()) {
    const numbered = rejectionAt(at, '');
    if (error.message.startsWith(numbered))
      return new InvalidProposalError(`${place} :: ${error.message.slice(numbered.length)}`);
  }
  return error;
}
