/**
 * Stores, per partition of an external proposal log, the offset up to which the store has applied it.
 *
 * The commits of the store move the offsets. This port reads them and binds each one to the log that it belongs to.
 */
export interface LogOffsets {
  read(): Promise<ReadonlyMap<number, LogOffset>>;

  /**
   * Binds a partition that has no applied record to a log.
   *
   * **Order and repeats**: a partition that is already bound, or has applied records, stays as it is. Call `read` again
   * to see the binding in force.
   */
  bind(binding: LogBinding): Promise<void>;
}

export interface LogOffset {
  readonly applied: number;
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
  readonly applied: number;
}
