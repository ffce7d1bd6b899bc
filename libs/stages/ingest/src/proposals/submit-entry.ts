import { FaultError, InvalidProposalError, type Position, type ProposalEntry } from '@stratalog/domain';
import { rejectImplausible } from '@stratalog/concurrency';
import type { Clock, ProposalSubmitter } from '@stratalog/ports';

export interface SubmitDeps {
  readonly submitter: ProposalSubmitter;
  /** Checked for plausibility before each write; without a clock there is no check. */
  readonly clock?: Clock;
}

/**
 * Submits one entry, waits for its commit, and returns the position of its urns.
 *
 * **Errors**: `InvalidProposalError` with the reason of a rejection. `UnavailableError` when the clock is not
 * plausible, or the log or the writer did not answer in time. `ThrottledError` when too many entries wait before it.
 * `FaultError` when the writer failed inside the catalog.
 */
export async function submitAwaited(
  { submitter, clock }: SubmitDeps,
  entry: ProposalEntry,
): Promise<Position> {
  rejectImplausible(clock);
  const outcome = await submitter.submitAndWait(entry);
  switch (outcome.kind) {
    case 'applied':
      return outcome.position;
    case 'rejected':
      throw new InvalidProposalError(outcome.reason);
    case 'failed':
      throw new FaultError('A proposal could not be applied', { cause: outcome.cause });
  }
}

/**
 * Submits entries without waiting for their outcomes; resolves when the log has all of them.
 *
 * **Errors**: `UnavailableError` when the clock is not plausible or the log did not answer in time; `ThrottledError`
 * when too many entries wait before them. In both cases the log may already have some entries.
 */
export async function submitUnawaited(
  { submitter, clock }: SubmitDeps,
  entries: readonly ProposalEntry[],
): Promise<void> {
  rejectImplausible(clock);
  await submitter.submit(entries);
}
