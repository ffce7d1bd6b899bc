import {
  InvalidProposalError,
  InvalidRequestError,
  rejectionAt,
  type NoteUnknown,
  type Position,
  type Proposal,
  type Steps,
} from '@stratalog/model';
import { inSlices } from '@stratalog/ports';
import type { EntityRegistry } from '@stratalog/registry';
import { appendAwaited, appendUnawaited } from './append-entry';
import { aheadOfModel, checkedProposal, type IngestOptions, type IngestDeps } from './ingest-proposal';

/**
 * Puts several proposals into the log.
 *
 * Synchronous: as one record, which is applied in one transaction; the first that is rejected, here or by the writer, rejects all
 * of them and is named by its place. Asynchronous: each on its own, in order; one that is rejected is kept aside and holds up no other.
 *
 * **Errors**: those of a single proposal. An asynchronous batch is not rejected, whatever the model says of its proposals, but for
 * `UnknownNamesError`.
 */
export async function ingestProposalBatch(
  parts: IngestDeps,
  proposals: readonly Proposal[],
  { isAsync, unknown }: IngestOptions,
): Promise<Position | undefined> {
  const { registry } = parts;
  const noteAt = (at: number) => unknown?.within(`/proposals/${String(at)}`);
  const [first, ...others] = await inSlices(
    checkedEach(proposals, (proposal, at) =>
      isAsync
        ? checkedOrNot(registry, proposal, noteAt(at))
        : checkedAt(registry, proposal, { at, note: noteAt(at) }),
    ),
  );
  unknown?.settle();
  if (first === undefined) return undefined;
  if (!isAsync) return appendAwaited(parts, { proposals: [first, ...others] });
  await appendUnawaited(parts, [first, ...others]);
  return undefined;
}

/** One after the other, as many as a turn has time for. */
function* checkedEach(
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

function* checkedAt(
  registry: EntityRegistry,
  proposal: Proposal,
  { at, note }: { readonly at: number; readonly note: NoteUnknown | undefined },
): Steps<Proposal> {
  try {
    return yield* checkedProposal(registry, proposal, note);
  } catch (error) {
    if (error instanceof InvalidProposalError) throw new InvalidProposalError(rejectionAt(at, error.message));
    if (error instanceof InvalidRequestError) throw new InvalidRequestError(rejectionAt(at, error.message));
    throw error;
  }
}

/** What is rejected goes into the log as it came: there it is kept aside with the reason. */
function* checkedOrNot(registry: EntityRegistry, proposal: Proposal, note?: NoteUnknown): Steps<Proposal> {
  try {
    return yield* aheadOfModel(registry, proposal, note);
  } catch (error) {
    if (error instanceof InvalidProposalError || error instanceof InvalidRequestError) return proposal;
    throw error;
  }
}
