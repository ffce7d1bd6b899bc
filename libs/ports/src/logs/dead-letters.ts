import type { Proposal } from '@stratalog/model';
import type { LogPosition } from './proposal-log';

/** The log position of a dead letter. A store may have read several logs. */
export interface DeadLetterPosition extends LogPosition {
  /** The log; empty for the store's own. */
  readonly log: string;
}

/** A rejected proposal that waits for a model which knows its aspect. */
export interface DeadLetter {
  readonly position: DeadLetterPosition;
  readonly proposal: Proposal;
}

/** Reads and replays dead letters that a later model may accept. */
export interface DeadLetters {
  /**
   * Runs `work` while no other process does. Otherwise several processes that start together would log the same
   * proposals again.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Lists at most `limit` dead letters after `after` that were not replayed.
   *
   * **Order and repeats**: by log, partition and offset, so that proposals of one urn keep their log order.
   */
  readWaiting(after: DeadLetterPosition | undefined, limit: number): Promise<readonly DeadLetter[]>;

  /** Marks dead letters as appended to the log again. */
  markReplayed(positions: readonly DeadLetterPosition[]): Promise<void>;
}
