import {
  InvalidProposalError,
  InvalidRequestError,
  rejectionAt,
  type ReportUnknown,
  type Position,
  type Proposal,
} from '@stratalog/domain';
import type { Steps } from '@stratalog/json';
import { inSlices } from '@stratalog/concurrency';
import type { EntityRegistry } from '@stratalog/registry';
import { submitAwaited, submitUnawaited } from './submit-entry';
import { checkExistence } from './check-existence';
import { checkLeniently, checkProposal, type IngestOptions, type IngestDeps } from './ingest-proposal';

/**
 * Submits several proposals to the writer.
 *
 * Synchronous: as one record, which the writer applies in one transaction. The first rejection, here or in the
 * writer, rejects the batch and names the index. Asynchronous: each proposal on its own, in order; a rejected one
 * becomes a dead letter and does not delay the others.
 *
 * **Errors**: those of a single proposal. An asynchronous batch is rejected only with `UnknownNamesError` and for entities that
 * should exist, whatever the model says of its proposals.
 */
export async function ingestProposalBatch(
  deps: IngestDeps,
  proposals: readonly Proposal[],
  { isAsync, unknown }: IngestOptions,
): Promise<Position | undefined> {
  const { registry } = deps;
  const reportAt = (at: number) => unknown?.within(`/proposals/${String(at)}`);
  const checked = await inSlices(
    checkEach(proposals, (proposal, at) =>
      isAsync
        ? checkIfPossible(registry, proposal, reportAt(at))
        : checkAt(registry, proposal, { at, report: reportAt(at) }),
    ),
  );
  await checkExistence(deps, { proposals: checked, isBatch: true, unknown });
  unknown?.settle();
  const [first, ...others] = checked;
  if (first === undefined) return undefined;
  if (!isAsync) return submitAwaited(deps, { proposals: [first, ...others] });
  await submitUnawaited(deps, [first, ...others]);
  return undefined;
}

/** Checks one proposal after the other, as many per turn of the event loop as time allows. */
function* checkEach(
  proposals: readonly Proposal[],
  check: (proposal: Proposal, at: number) => Steps<Proposal>,
): Steps<readonly Proposal[]> {
  const checked: Proposal[] = [];
  for (const [at, proposal] of proposals.entries()) {
    checked.push(yield* check(proposal, at));
    yield;
  }
  return checked;
}

function* checkAt(
  registry: EntityRegistry,
  proposal: Proposal,
  { at, report }: { readonly at: number; readonly report: ReportUnknown | undefined },
): Steps<Proposal> {
  try {
    return yield* checkProposal(registry, proposal, report);
  } catch (error) {
    if (error instanceof InvalidProposalError) throw new InvalidProposalError(rejectionAt(at, error.message));
    if (error instanceof InvalidRequestError) throw new InvalidRequestError(rejectionAt(at, error.message));
    throw error;
  }
}

/** Passes a rejected proposal to the log unchanged; the writer stores it as a dead letter with the reason. */
function* checkIfPossible(
  registry: EntityRegistry,
  proposal: Proposal,
  report?: ReportUnknown,
): Steps<Proposal> {
  try {
    return yield* checkLeniently(registry, proposal, report);
  } catch (error) {
    if (error instanceof InvalidProposalError || error instanceof InvalidRequestError) return proposal;
    throw error;
  }
}
