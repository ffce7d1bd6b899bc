import type { DeadLetterCause, DeadLetterState, Proposal, ProposalEntry } from '@stratalog/domain';
import type { LoggedPosition } from './proposal-log';

/** An open dead letter, whole. */
export interface OpenDeadLetter {
  readonly position: LoggedPosition;
  /** Epoch ms of its first rejection. */
  readonly rejectedMs: number;
  /** True when a start has logged it again, and the writer has not decided about it yet. */
  readonly isLogged: boolean;
  /** Absent for a record that could not be decoded. */
  readonly entry?: ProposalEntry;
}

interface DeadLetterFacts {
  readonly position: LoggedPosition;
  /** Name of the topic; empty for the store's own log. */
  readonly topic: string;
  readonly cause: DeadLetterCause;
  readonly reason: string;
  /** Epoch ms. */
  readonly rejectedMs: number;
  /** Epoch ms of the last rejection; the first one, unless a replay was rejected. */
  readonly lastRejectedMs: number;
  /** Number of its rejections. */
  readonly times: number;
  readonly state: DeadLetterState;
  /** Epoch ms of its replay or discard; absent for an open one. */
  readonly settledMs?: number;
  /** Urn of the operator who replayed or discarded it; absent when the catalog did by itself. */
  readonly settledBy?: string;
  /** True when it waits for a model that knows its aspect. */
  readonly isWaiting: boolean;
}

/** A rejected entry of a log, or a record that could not be decoded, as a list shows it. */
export interface DeadLetterRecord extends DeadLetterFacts {
  /** Length of the entry or record. */
  readonly bytes: number;
  /** Absent when it is large, or could not be decoded. */
  readonly entry?: ProposalEntry;
  /** The first bytes, where `entry` is absent. */
  readonly beginning?: Buffer;
}

/** A dead letter with all that is kept of it. */
export interface WholeDeadLetter extends DeadLetterFacts {
  /** What was rejected: the proposal in the form in which the catalog keeps it, or the record as it came. */
  readonly bytes: Buffer;
  /** Absent for a record that could not be decoded. */
  readonly entry?: ProposalEntry;
}

/** The proposals of a dead letter, and why they were rejected. */
export interface MarkedDeadLetter {
  readonly reason: string;
  readonly proposals: readonly Proposal[];
}

/** Selects dead letters. All conditions must hold. */
export interface DeadLetterSelection {
  readonly topic?: string | undefined;
  /** Absent: those that wait for a model, and the others. */
  readonly isWaiting?: boolean | undefined;
  readonly state?: DeadLetterState | undefined;
  readonly cause?: DeadLetterCause | undefined;
  /** A part of the reason. */
  readonly reason?: string | undefined;
  /** Of any of its proposals. */
  readonly entityType?: string | undefined;
  /** Of any of its proposals. */
  readonly urn?: string | undefined;
  /** Bounds of the first rejection; the second one is excluded. Epoch ms. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/** The last letter of a page of the list. */
export interface DeadLetterMark {
  readonly rejectedMs: number;
  readonly position: LoggedPosition;
}

export interface DeadLetterQuery extends DeadLetterSelection {
  /** The page starts after this letter. */
  readonly after?: DeadLetterMark | undefined;
  /** Number of dead letters to skip. */
  readonly start: number;
  readonly limit: number;
}

export interface DeadLetterPage {
  readonly total: number;
  readonly records: readonly DeadLetterRecord[];
}

/** Dead letters whose reasons differ in urns, quoted texts and numbers only. */
export interface DeadLetterCount {
  readonly cause: DeadLetterCause;
  /** The reason with `…` for what differs. */
  readonly pattern: string;
  readonly count: number;
  /** Epoch ms. */
  readonly oldestMs: number;
  readonly newestMs: number;
}

/** Keeps what the writer rejected after it was logged, until an operator or a later model settles it. */
export interface DeadLetters {
  /**
   * Runs `work` while no other process does. Otherwise several processes that start together would log the same
   * proposals again.
   */
  exclusively<T>(work: () => Promise<T>): Promise<T>;

  /**
   * Lists open dead letters after `after`, at most `limit` and of bounded size.
   *
   * **Order and repeats**: by log, partition and offset, so that proposals of one urn keep their log order.
   */
  readOpen(
    selection: DeadLetterSelection,
    after: LoggedPosition | undefined,
    limit: number,
  ): Promise<readonly OpenDeadLetter[]>;

  /** Marks open letters as logged again, so that the starts of other processes leave them. */
  markLogged(positions: readonly LoggedPosition[]): Promise<void>;

  /** Lists dead letters, the newest first. */
  list(query: DeadLetterQuery): Promise<DeadLetterPage>;

  read(position: LoggedPosition): Promise<WholeDeadLetter | undefined>;

  /** Counts the selected letters by reason, the most frequent first; at most 100 reasons. */
  countReasons(selection: DeadLetterSelection): Promise<readonly DeadLetterCount[]>;

  /** Counts the open letters by cause. */
  countOpen(): Promise<ReadonlyMap<DeadLetterCause, number>>;

  /** Finds the first open letter of the same log that came before `position` and names one of the urns. */
  findEarlier(position: LoggedPosition, urns: readonly string[]): Promise<LoggedPosition | undefined>;

  /** True when an earlier letter of the same log, which names the urn, was replayed by the commit with this stamp. */
  isReplayStamp(position: LoggedPosition, urn: string, stampMs: number): Promise<boolean>;

  /**
   * Lists dead letters since a time whose entry contains a text that only its system metadata have, the oldest first. Those that were
   * replayed are left out: the log decides about them again. At most 1,000.
   */
  listMarked(mark: string, sinceMs: number): Promise<readonly MarkedDeadLetter[]>;

  /**
   * Marks open letters as discarded, `position` alone or so many of a selection, and returns their number. A letter is
   * discarded or replayed once, whoever asks for it.
   */
  discard(
    letters:
      | { readonly position: LoggedPosition }
      | { readonly selection: DeadLetterSelection; readonly limit: number },
    actor: string,
  ): Promise<number>;

  /** Deletes letters that were replayed or discarded so long ago. */
  purge(ageMs: number): Promise<void>;
}
