import type { KafkaMessage } from 'kafkajs';

/** Where reading a partition goes on, or why it does not. */
export type ReadPosition =
  { readonly kind: 'at'; readonly offset: number } | { readonly kind: 'stopped'; readonly reason: string };

export interface TopicReaderOptions {
  readonly topic: string;
  /** Readers of one group share the partitions; its offsets are not used. */
  readonly groupId: string;
  /** Whether records of transactions that have not ended, or were aborted, are read too. */
  readonly readUncommitted: boolean;
  /**
   * Asked when partitions are assigned, and again when something does not fit: where each is to be read from. What was read of them
   * before is to be dropped.
   */
  readonly locate: (
    partitions: readonly number[],
    topicId: string,
  ) => Promise<ReadonlyMap<number, ReadPosition>>;
  readonly take: (stretch: FetchedBatch) => Promise<void> | void;
  readonly revoke: (partition: number) => void;
  /** Resolves at once while there is room for more, else after a while; true when there is room. */
  readonly room: () => Promise<boolean>;
}

/** Messages of a partition in order; everything below Kafka's offset `next` was read with them. */
export interface FetchedBatch {
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  readonly next: number;
  /** To be called while taking waits for something: the partitions stay ours. Rejects when they are divided anew. */
  readonly alive: () => Promise<void>;
  /** False once the partition has been taken away or is read from elsewhere; then nothing of the stretch may be used. */
  readonly isCurrent: () => boolean;
}

export interface ReaderTiming {
  /** A member that is silent for so long is taken for dead, and its partitions go to others. */
  readonly sessionTimeoutMs: number;
  /** A consumer that neither fetches nor waits for us for so long is replaced. */
  readonly stuckAfterMs: number;
  /** How often the topic's id and extent are looked at. */
  readonly auditMs: number;
}

export const READER_TIMING: ReaderTiming = { sessionTimeoutMs: 10_000, stuckAfterMs: 20_000, auditMs: 5_000 };
