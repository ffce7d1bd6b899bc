import {
  InvalidProposalError,
  InvalidRequestError,
  UnavailableError,
  partitionOf,
  type Position,
  type Proposal,
} from '@stratalog/model';
import type { Appended, AspectStore, ProposalLog } from '@stratalog/ports';
import { checkProposal, type EntityRegistry } from '@stratalog/registry';
import { awaitOutcome } from './await-outcome';

export interface IngestParts {
  readonly proposals: ProposalLog;
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  /** How long a synchronous write waits for its commit. */
  readonly commitTimeoutMs: number;
}

/**
 * Puts a proposal into the log.
 *
 * Synchronous: it is checked first, so that nearly every refusal comes before the log, and the answer comes when its version is
 * committed; the position is that of the urn then. Asynchronous: the answer comes as soon as the log has it; one that the writer
 * refuses is set aside.
 *
 * **Errors**: `InvalidRequestError` for an unknown entity type; `InvalidProposalError` with the reason of a refusal; `UnavailableError` when the log or the writer did not answer in time.
 */
export async function ingestProposal(
  parts: IngestParts,
  proposal: Proposal,
  isAsync: boolean,
): Promise<Position | undefined> {
  const ready = isAsync ? proposal : checked(parts.registry, proposal);
  const [appended] = await parts.proposals.append([ready], { awaited: !isAsync });
  if (appended === undefined) throw new UnavailableError('The log did not take the proposal');
  return isAsync ? undefined : positionOf(parts, proposal, appended);
}

function checked(registry: EntityRegistry, proposal: Proposal): Proposal {
  if (registry.entityType(proposal.entityType) === undefined) {
    throw new InvalidRequestError(`Failed to find entity with name ${proposal.entityType} in EntityRegistry`);
  }
  const check = checkProposal(registry, proposal);
  if ('refusal' in check) throw new InvalidProposalError(check.refusal);
  return { ...proposal, value: check.value, checkedBy: registry.fingerprint };
}

async function positionOf(parts: IngestParts, { urn }: Proposal, appended: Appended): Promise<Position> {
  const { store, commitTimeoutMs } = parts;
  const outcome = appended.outcome ?? (await awaitOutcome(store, appended.position, urn, commitTimeoutMs));
  if (outcome.kind === 'refused') throw new InvalidProposalError(outcome.reason);
  const { storeId, epoch, partitions } = store.identity;
  return { storeId, epoch, seqs: new Map([[partitionOf(urn, partitions), outcome.seq]]) };
}
