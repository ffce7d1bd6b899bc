/** Lets an operator decide about a proposal log that moved: the one decision that the catalog does not take by itself. */
export interface LogRecovery {
  /** Compares what the store has applied with what the log holds now, partition by partition. */
  inspect(): Promise<readonly LogPartitionState[]>;

  /**
   * Says what {@link adopt} would do now, and changes nothing.
   *
   * **Errors**: `InvalidRequestError` when no partition of the log has moved or is stopped.
   */
  planAdoption(): Promise<LogAdoption>;

  /**
   * Gives the former log up: each partition that moved or is stopped continues in the present log.
   *
   * **Errors**: those of `planAdoption`; `UnavailableError` when the log changed meanwhile.
   */
  adopt(): Promise<LogAdoption>;

  /**
   * Ends the stops of a log that was put back as it was; returns the partitions. Nothing is lost.
   *
   * **Errors**: `InvalidRequestError` with the reason when a partition is still not in the state that the store knows, or none is
   * stopped.
   */
  resume(): Promise<readonly number[]>;
}

export interface LogPartitionState {
  readonly partition: number;
  /** The store has applied the log up to here. */
  readonly committedOffset: number;
  /** The present end of the log. */
  readonly endOffset: number;
  /** Absent while the partition is applied. */
  readonly reason?: string;
  /** Since when it is stopped. Epoch ms; absent for a log that moved and that no process has stopped for yet. */
  readonly sinceMs?: number;
}

export interface LogAdoption {
  readonly topic: string;
  readonly partitions: readonly AdoptedPartition[];
}

interface AdoptedPartition {
  readonly partition: number;
  readonly reason: string;
  readonly committedOffset: number;
  /** Number of records of the former log that were not applied, as far as any process saw them; nothing will apply them. */
  readonly lost: number;
  /** The offset of the present log after which it is applied. */
  readonly continuesAfter: number;
}
