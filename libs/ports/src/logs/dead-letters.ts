import type { Proposal } from '@stratalog/model';
import type { LogPosition } from './proposal-log';

/** Where a proposal was logged that was set aside; a store may have read several logs. */
export interface DeadLetterPosition extends LogPosition {
  /** Which log: empty for the store's own. */
  readonly log: string;
}

/** A proposal that waits for a model which knows its aspect. */
export interface DeadLetter {
  readonly position: DeadLetterPosition;
  readonly proposal: Proposal;
}

/** The proposals that were set aside for a reason that may pass. */
export interface DeadLetters {
  /** Runs `work` while no other process does: several that start at once must not log the same proposals again. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Those that still wait and lie after `after`; at most `limit`.
   *
   * **Order and repeats**: by log, partition and offset, so that proposals of one urn come as they were logged.
   */
  readWaiting(after: DeadLetterPosition | undefined, limit: number): Promise<readonly DeadLetter[]>;

  /** Notes that these were put into the log again. */
  markReplayed(positions: readonly DeadLetterPosition[]): Promise<void>;
}
