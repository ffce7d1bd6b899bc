import type { Proposal, ProposalEntry } from '@stratalog/domain';
import type { LoggedPosition } from './proposal-log';

/** A rejected proposal that waits for a model which knows its aspect. */
export interface DeadLetter {
  readonly position: LoggedPosition;
  readonly proposal: Proposal;
}

/** A rejected entry of a log, or a record that could not be decoded. */
export interface DeadLetterRecord {
  readonly position: LoggedPosition;
  /** Name of the topic; empty for the store's own log. */
  readonly topic: string;
  readonly reason: string;
  /** Epoch ms. */
  readonly rejectedMs: number;
  /** Epoch ms of its return to the log; absent when it did not return. */
  readonly replayedMs?: number;
  /** True when it waits for a model that knows its aspect. */
  readonly isWaiting: boolean;
  /** Length of the entry or record. */
  readonly bytes: number;
  /** Absent when it is large, or could not be decoded. */
  readonly entry?: ProposalEntry;
  /** The first bytes, where `entry` is absent. */
  readonly beginning?: Buffer;
}

/** The proposals of a dead letter, and why they were rejected. */
export interface MarkedDeadLetter {
  readonly reason: string;
  readonly proposals: readonly Proposal[];
}

export interface DeadLetterQuery {
  readonly topic?: string | undefined;
  /** Absent: those that wait for a model, and the others. */
  readonly isWaiting?: boolean | undefined;
  /** Number of dead letters to skip. */
  readonly start: number;
  readonly limit: number;
}

export interface DeadLetterPage {
  readonly total: number;
  readonly records: readonly DeadLetterRecord[];
}

/** Lists dead letters, and replays those that a later model may accept. */
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
  readWaiting(after: LoggedPosition | undefined, limit: number): Promise<readonly DeadLetter[]>;

  /** Lists dead letters, the newest first. */
  list(query: DeadLetterQuery): Promise<DeadLetterPage>;

  /**
   * Lists dead letters since a time whose entry contains a text that only its system metadata have, the oldest first. Those that were
   * replayed are left out: the log decides about them again. At most 1,000.
   */
  listMarked(mark: string, sinceMs: number): Promise<readonly MarkedDeadLetter[]>;

  /** Marks dead letters as appended to the log again. */
  markReplayed(positions: readonly LoggedPosition[]): Promise<void>;
}
