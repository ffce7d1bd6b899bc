import type { KafkaMessage } from 'kafkajs';

/** The offset at which to read a partition, or the reason why it is stopped. */
export type ReadPosition =
  { readonly kind: 'at'; readonly offset: number } | { readonly kind: 'stopped'; readonly reason: string };

export interface TopicReaderOptions {
  readonly topic: string;
  /** Readers with the same group id share the partitions. The group's committed offsets are not used. */
  readonly groupId: string;
  /** True to also read records of open and of aborted transactions. */
  readonly readUncommitted: boolean;
  /**
   * Locates the read position of each partition. Called after an assignment, and again when read offsets do not fit the
   * topic. Records read before are dropped.
   */
  readonly locate: (
    partitions: readonly number[],
    topicId: string,
  ) => Promise<ReadonlyMap<number, ReadPosition>>;
  readonly take: (batch: FetchedBatch) => Promise<void> | void;
  readonly revoke: (partition: number) => void;
  /** Resolves with true while more records may be read. Otherwise waits for a while and resolves with false. */
  readonly waitForRoom: () => Promise<boolean>;
}

/** Messages of a partition in order. They cover everything below Kafka's offset `next`. */
export interface FetchedBatch {
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  readonly next: number;
  /** Call this while processing waits: it keeps the partitions assigned. Rejects when the group rebalances. */
  readonly heartbeat: () => Promise<void>;
  /** False once the partition is revoked or read from another position; then the batch must be dropped. */
  readonly isCurrent: () => boolean;
}

export interface ReaderTiming {
  /** A member that is silent for this long counts as dead, and its partitions go to others. */
  readonly sessionTimeoutMs: number;
  /** A consumer that neither fetches nor waits for processing for this long is replaced. */
  readonly stuckAfterMs: number;
  /** Interval between checks of the topic's id and watermarks. */
  readonly auditMs: number;
}

export const READER_TIMING: ReaderTiming = { sessionTimeoutMs: 10_000, stuckAfterMs: 20_000, auditMs: 5_000 };
