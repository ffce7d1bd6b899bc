import type { Position, ProposalEntry } from '@stratalog/domain';
import type { LoggedPosition } from './proposal-log';

/** Outcome of one submitted entry. */
export type SubmitOutcome =
  /** `position` holds the last sequence number of each partition that contains one of the entry's urns. */
  | { readonly kind: 'applied'; readonly position: Position }
  | { readonly kind: 'rejected'; readonly reason: string }
  /** The writer failed inside the catalog; the entry is a dead letter. */
  | { readonly kind: 'failed'; readonly cause: unknown };

/**
 * Submits proposals to the writer and bounds each wait by the commit timeout.
 *
 * Every write to the store goes through this port or through `ProposalLog.append`.
 *
 * **Order and repeats**: proposals of one urn keep the order in which they were submitted or appended, by whichever
 * method.
 */
export interface ProposalSubmitter {
  /**
   * Submits one entry and waits for its outcome. A batch of proposals is applied as a whole or not at all.
   *
   * **Errors**: those of `ProposalLog.append`. `UnavailableError` also when the outcome is not known within the commit
   * timeout; its message says whether the log has the entry.
   */
  submitAndWait(entry: ProposalEntry): Promise<SubmitOutcome>;

  /**
   * Submits entries without their outcomes. Resolves when they are durable, with the log position of each entry.
   *
   * **Errors**: those of `ProposalLog.append`. `UnavailableError` also after the commit timeout. In each case the log
   * may already have some entries.
   */
  submit(entries: readonly ProposalEntry[]): Promise<readonly LoggedPosition[]>;
}
