/**
 * How far the store has applied each partition of a proposal log that lies outside of it. The offsets are moved by the store's
 * own commits; here they are read, and bound to the log that they mean.
 */
export interface LogOffsets {
  read(): Promise<ReadonlyMap<number, LogOffset>>;

  /**
   * Binds a partition that nothing was ever applied from to a log.
   *
   * **Order and repeats**: one that is bound already, or that has been applied from, stays as it is; read again to see which.
   */
  bind(binding: LogBinding): Promise<void>;
}

export interface LogOffset {
  readonly applied: number;
  /** The log whose offsets are counted; absent until it is bound. */
  readonly source?: LogSource;
}

export interface LogSource {
  readonly topic: string;
  /** Another topic of the same name has another one. */
  readonly topicId: string;
}

export interface LogBinding extends LogSource {
  readonly partition: number;
  /** The records up to here were gone from the log before the store ever saw it. */
  readonly applied: number;
}
