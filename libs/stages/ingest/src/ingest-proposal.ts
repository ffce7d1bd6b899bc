import {
  FaultError,
  InvalidProposalError,
  InvalidRequestError,
  UnavailableError,
  partitionOf,
  type Position,
  type Proposal,
} from '@stratalog/model';
import type { Appended, AspectStore, ProposalLog } from '@stratalog/ports';
import { checkProposal, type EntityRegistry } from '@stratalog/registry';
import type { OutcomeWatch } from './outcome-watch';

export interface IngestParts {
  readonly outcomes: OutcomeWatch;
  readonly proposals: ProposalLog;
  readonly store: AspectStore;
  readonly registry: EntityRegistry;
  /** How long a synchronous write waits for its commit. */
  readonly commitTimeoutMs: number;
}

/**
 * Puts a proposal into the log. It is checked first, so that nearly every refusal comes before the log.
 *
 * Synchronous: the answer comes when its version is committed; the position is that of the urn then. Asynchronous: the answer comes
 * as soon as the log has it.
 *
 * **Errors**: `InvalidProposalError` with the reason of a refusal; `UnavailableError` when the log or the writer did not answer in
 * time; `FaultError` when applying it failed inside the catalog.
 */
export async function ingestProposal(
  parts: IngestParts,
  proposal: Proposal,
  isAsync: boolean,
): Promise<Position | undefined> {
  const ready = checked(parts.registry, proposal, isAsync);
  const end = performance.now() + parts.commitTimeoutMs;
  const [appended] = await withinTimeout(
    parts.proposals.append([ready], { awaited: !isAsync }),
    parts.commitTimeoutMs,
  );
  if (appended === undefined) throw new UnavailableError('The log did not take the proposal');
  return isAsync ? undefined : positionOf(parts, proposal, appended, Math.max(0, end - performance.now()));
}

/** Nobody waits for ever on a store that hangs. What it does in the end is not known then, so the message says to repeat. */
async function withinTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const message = `The store did not answer within ${String(timeoutMs)} ms; the proposal may be applied yet, repeat it to be sure`;
      reject(new UnavailableError(message));
    }, timeoutMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Who does not wait may be ahead of the model: what it does not know yet is for the writer to keep aside. */
function checked(registry: EntityRegistry, proposal: Proposal, isAsync: boolean): Proposal {
  const check = checkProposal(registry, proposal);
  if ('refusal' in check && check.code !== undefined && isAsync) return proposal;
  if (registry.entityType(proposal.entityType) === undefined) {
    throw new InvalidRequestError(`Failed to find entity with name ${proposal.entityType} in EntityRegistry`);
  }
  if ('refusal' in check) throw new InvalidProposalError(check.refusal);
  const { value } = check;
  return { ...proposal, ...(value === undefined ? {} : { value }), checkedBy: registry.fingerprint };
}

async function positionOf(
  { store, outcomes }: IngestParts,
  { urn }: Proposal,
  appended: Appended,
  leftMs: number,
): Promise<Position> {
  const outcome = appended.outcome ?? (await outcomes.of({ position: appended.position, urn }, leftMs));
  if (outcome.kind === 'refused') throw new InvalidProposalError(outcome.reason);
  if (outcome.kind === 'failed')
    throw new FaultError('A proposal could not be applied', { cause: outcome.cause });
  const { storeId, epoch, partitions } = store.identity;
  return { storeId, epoch, seqs: new Map([[partitionOf(urn, partitions), outcome.seq]]) };
}
