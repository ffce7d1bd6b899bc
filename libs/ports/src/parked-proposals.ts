import type { Proposal } from '@stratalog/model';
import type { LogPosition } from './proposal-log';

/** Where a proposal was logged that was set aside; a store may have read several logs. */
export interface ParkedPosition extends LogPosition {
  /** Which log: empty for the store's own. */
  readonly log: string;
}

/** A proposal that waits for a model which knows its aspect. */
export interface ParkedProposal {
  readonly position: ParkedPosition;
  readonly proposal: Proposal;
}

/** The proposals that were set aside for a reason that may pass. */
export interface ParkedProposals {
  /** Runs `work` while no other process does: several that start at once must not log the same proposals again. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Those that still wait and lie after `after`; at most `limit`.
   *
   * **Order and repeats**: by log, partition and offset, so that proposals of one urn come as they were logged.
   */
  waitingAfter(after: ParkedPosition | undefined, limit: number): Promise<readonly ParkedProposal[]>;

  /** Notes that these were put into the log again. */
  replayed(positions: readonly ParkedPosition[]): Promise<void>;
}
