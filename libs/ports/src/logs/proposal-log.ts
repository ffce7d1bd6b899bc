import type { ProposalEntry, WriteOutcome } from '@stratalog/model';
import type { BatchHandler, Subscription } from './consumer';

/** Position of a record in the proposal log. */
export interface LogPosition {
  readonly partition: number;
  readonly offset: number;
}

export interface Appended {
  readonly position: LogPosition;
  /** Present when the log applied the proposal during the append. Absent: wait until `position` is applied. */
  readonly outcome?: WriteOutcome;
}

export interface AppendOptions {
  /** True when a caller waits for the outcome. A log that can apply at once then does so. */
  readonly awaited: boolean;
}

/**
 * Logs proposals, keyed by urn. Every write to the store goes through this log.
 *
 * **Order and repeats**: proposals of one urn keep the order in which `append` was called.
 */
export interface ProposalLog {
  /**
   * Appends proposals; a batch of proposals becomes one record. Resolves when they are durable.
   *
   * **Errors**: `UnavailableError` when the log cannot take the records or does not confirm them. `ThrottledError` when
   * too many records wait already. `TooLargeError`.
   */
  append(entries: readonly ProposalEntry[], options: AppendOptions): Promise<readonly Appended[]>;

  /**
   * Counts the logged records that are not applied yet.
   *
   * **Errors**: `UnavailableError`.
   */
  lag(): Promise<number>;

  /** Delivers every record from the stored offset on to `handler`. One subscription per process. */
  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription;
}
