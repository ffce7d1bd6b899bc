import type { ProposalEntry, WriteOutcome } from '@stratalog/model';
import type { BatchHandler, Subscription } from './consumer';

/** Where a record lies in the proposal log. */
export interface LogPosition {
  readonly partition: number;
  readonly offset: number;
}

export interface Appended {
  readonly position: LogPosition;
  /** Present when the log had the proposal applied in the same breath; absent: wait for `position` to be applied. */
  readonly outcome?: WriteOutcome;
}

export interface AppendOptions {
  /** True when someone waits for the outcome, so that a log which can apply at once should. */
  readonly awaited: boolean;
}

/**
 * The log of proposals, keyed by urn: everything that changes the store goes through it.
 *
 * **Order and repeats**: proposals of one urn keep the order in which `append` was called.
 */
export interface ProposalLog {
  /**
   * Appends proposals, and batches of proposals as one record each; resolves when they are durable.
   *
   * **Errors**: `UnavailableError` when the log cannot take them or did not confirm, `ThrottledError` when too many wait already;
   * `TooLargeError`.
   */
  append(entries: readonly ProposalEntry[], options: AppendOptions): Promise<readonly Appended[]>;

  /**
   * How many logged records are not applied yet.
   *
   * **Errors**: `UnavailableError`.
   */
  lag(): Promise<number>;

  /** Delivers every record from the stored offset on to `handler`. One consumption per process. */
  consume(handler: BatchHandler<ProposalEntry, WriteOutcome>): Subscription;
}
