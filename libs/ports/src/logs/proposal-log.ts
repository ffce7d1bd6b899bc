import type { ProposalEntry, WriteOutcome } from '@stratalog/domain';
import type { BatchHandler, Subscription, ConsumerProgress } from './consumer';

/** Position of a record in the proposal log. */
export interface LogPosition {
  readonly partition: number;
  readonly offset: number;
}

/** Position of a record together with its log: offsets of another log say nothing about it. */
export interface LoggedPosition extends LogPosition {
  /** Identity of the log; empty for the store's own. */
  readonly log: string;
}

/**
 * Logs proposals, keyed by urn.
 *
 * A caller that needs the outcome of its proposal uses `ProposalSubmitter`.
 *
 * **Order and repeats**: proposals of one urn keep the order in which `append` was called.
 */
export interface ProposalLog {
  /**
   * Appends proposals; a batch of proposals becomes one record. Resolves when they are durable, with the position of
   * each record in the order of `entries`.
   *
   * **Errors**: `UnavailableError` when the log cannot take the records or does not confirm them, and when it is not the log that the
   * store applies: it moved, or the writer's stop waits for an operator. `ThrottledError` when too many records wait already.
   * `TooLargeError`.
   */
  append(entries: readonly ProposalEntry[]): Promise<readonly LoggedPosition[]>;

  /**
   * Reads up to which record each partition is applied.
   *
   * **Errors**: `UnavailableError`.
   */
  progress(): Promise<ConsumerProgress>;

  /** Delivers every record from the stored offset on to `handler`. One subscription per process. */
  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription;
}
