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
}

export interface LogOffset {
  readonly committedOffset: number;
  /** The log whose offsets are counted; absent until the partition is bound. */
  readonly source?: LogSource;
}

interface LogSource {
  readonly topic: string;
  /** Differs for every topic of the same name, for instance after the topic was created again. */
  readonly topicId: string;
}

export interface LogBinding extends LogSource {
  readonly partition: number;
  /** The records up to this offset had left the log before the store first read it. */
  readonly committedOffset: number;
}
