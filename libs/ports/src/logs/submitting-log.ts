import type { ProposalEntry, WriteOutcome } from '@stratalog/domain';
import type { LoggedPosition, ProposalLog } from './proposal-log';

/** A log as the submitter of proposals uses it. */
export interface SubmittingLog extends Pick<ProposalLog, 'append' | 'progress'> {
  /**
   * Maximum bytes of stored values that the waiting patches of one urn read and write together. It follows from how long
   * other proposals may wait for them.
   */
  readonly maxPatchedBytes: number;
  /**
   * Appends an entry whose outcome is awaited. A log that can apply it at once resolves with the outcome; else any
   * process may apply it, and the outcome is read from the store.
   *
   * **Errors**: those of `append`.
   */
  appendAwaited(entry: ProposalEntry): Promise<AwaitedPosition | WriteOutcome>;
}

/** Position of an entry whose outcome is awaited. */
export interface AwaitedPosition extends LoggedPosition {
  /**
   * Resolves when the log still has the entry at this position; called before an outcome is believed. Absent for a log that loses no record.
   *
   * **Errors**: `UnavailableError` when another record may have taken the position since.
   */
  readonly confirm?: () => Promise<void>;
}
