import {
  InvalidProposalError,
  isJsonObject,
  readProposal,
  refusalAt,
  type Proposal,
  type ProposalContext,
} from '@stratalog/model';
import { MAX_BATCH_ELEMENTS, type ActionParameters } from '@stratalog/http';

type ParseContext = Omit<ProposalContext, 'refuse'>;

/**
 * Reads the `proposal` parameter of an ingest call.
 *
 * **Errors**: `InvalidRequestError` naming the member that is missing or of the wrong type; `InvalidProposalError` for an aspect
 * in another serialization than JSON.
 */
export function parseProposal(parameters: ActionParameters, context: ParseContext): Proposal {
  return readProposal(parameters.requiredObject('proposal'), {
    ...context,
    refuse: (path, reason) => parameters.refuse(`proposal/${path}`, reason),
  });
}

/**
 * Reads the `proposals` parameter of a batch.
 *
 * **Errors**: those of a single one, with its place.
 */
export function parseProposals(parameters: ActionParameters, context: ParseContext): readonly Proposal[] {
  return parameters.requiredBatch('proposals', MAX_BATCH_ELEMENTS).map((members, at) => {
    const place = `proposals/${String(at)}`;
    if (!isJsonObject(members)) return parameters.refuse(place, 'is not an object');
    try {
      const refuse = (path: string, reason: string): never => parameters.refuse(`${place}/${path}`, reason);
      return readProposal(members, { ...context, refuse });
    } catch (error) {
      if (error instanceof InvalidProposalError) throw new InvalidProposalError(refusalAt(at, error.message));
      throw error;
    }
  });
}
