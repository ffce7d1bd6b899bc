import { readProposal, type Proposal, type ProposalContext } from '@stratalog/model';
import type { ActionParameters } from '@stratalog/http';

/**
 * Reads the `proposal` parameter of an ingest call.
 *
 * **Errors**: `InvalidRequestError` naming the member that is missing or of the wrong type; `InvalidProposalError` for an aspect
 * in another serialization than JSON.
 */
export function parseProposal(
  parameters: ActionParameters,
  context: Omit<ProposalContext, 'refuse'>,
): Proposal {
  return readProposal(parameters.requiredObject('proposal'), {
    ...context,
    refuse: (path, reason) => parameters.refuse(`proposal/${path}`, reason),
  });
}
