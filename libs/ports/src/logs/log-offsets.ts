/**
 * Stores the committed offset of each partition of an external proposal log: the store has applied the records up to it.
 *
 * The commits of the store move the offsets. This port reads them and binds each one to the log that it belongs to.
 */
export interface LogOffsets {
  read(): Promise<ReadonlyMap<number, LogOffset>>;

  /**
   * Binds a partition that has the committed offset 0 to a log.
   *
   * **Order and repeats**: a partition that is already bound, or has a later committed offset, stays as it is. Call `read` again
   * to see the binding in force.
   */
  bind(binding: LogBinding): Promise<void>;

  /**
   * Stops partitions, for all processes and until an operator decides. No commit moves a stopped partition.
   *
   * **Order and repeats**: a partition that is stopped already stays as it is, and so does one that was moved back or bound to another
   * log since it was judged.
   */
  stop(stops: readonly NewLogStop[]): Promise<void>;

  /** Stores the ends of a topic that were seen, to tell later how much was lost with it. Partitions of another topic stay as they are. */
  noteEnds(topicId: string, ends: ReadonlyMap<number, number>): Promise<void>;

  /**
   * Ends the stops of partitions, in one step for all of them: each continues as `moves` says.
   *
   * **Errors**: `UnavailableError` when one of them has changed since it was read; then none is changed.
   */
  restart(moves: readonly LogRestart[]): Promise<void>;
}

export interface LogOffset {
  readonly committedOffset: number;
  /** Offsets beyond it, in ascending order, of records that are applied as well. */
  readonly ahead: readonly number[];
  /** The log whose offsets are counted; absent until the partition is bound. */
  readonly source?: LogSource;
  readonly stop?: LogStop;
  /** The last end of the log that was seen. */
  readonly seenEnd: number;
}

/** Why no record of a partition is applied. */
interface LogStop {
  readonly reason: string;
  /** Epoch ms; nothing that the log got later was applied. */
  readonly sinceMs: number;
  /** Where the log lost its tail: the offset up to which its records are those that the store has applied. */
  readonly newFrom?: number;
}

export interface NewLogStop extends LogStop {
  readonly partition: number;
  /** The log and the offset that were judged. */
  readonly log: string;
  readonly committedOffset: number;
}

/** A partition continues in a log, or in the same one under a new identity, after `committedOffset`. */
export interface LogRestart {
  readonly partition: number;
  /** The state by which the partition was judged. */
  readonly former: { readonly log: string; readonly committedOffset: number };
  readonly to: LogSource & Pick<LogOffset, 'committedOffset' | 'ahead'>;
}

interface LogSource {
  readonly topic: string;
  /**
   * Identity of the log. It differs for every topic of the same name, for instance after the topic was created again, and for a topic that
   * an operator adopted after it lost records: offsets then count again.
   */
  readonly topicId: string;
}

export interface LogBinding extends LogSource {
  readonly partition: number;
  /** The records up to this offset had left the log before the store first read it. */
  readonly committedOffset: number;
}
