import type { KafkaMessage } from 'kafkajs';
import type { TopicWatermarks } from '../cluster/raw-requests';
import type { IncomingRecord } from './partition-queue';

/** The source of a reader: its topic, and how to decode the messages. */
export interface TopicSource<T> {
  readonly topic: string;
  /** Readers with the same group id share the partitions. The group's committed offsets are not used. */
  readonly groupId: string;
  /** True to also read records of open and of aborted transactions. */
  readonly readUncommitted: boolean;
  /** True when the log's offsets are Kafka's, so that Kafka's offsets without a record count as read. */
  readonly hasKafkaOffsets: boolean;
  /**
   * Locates the read position of each partition. Called after an assignment, and again when read offsets do not fit the
   * topic. Records read before are dropped.
   *
   * **Errors**: any; the reader tries again.
   */
  locate(partitions: readonly number[], topicId: string): Promise<ReadonlyMap<number, ReadPosition>>;
  /**
   * Takes the watermarks of an audit; returns the partitions that must be located again.
   *
   * **Errors**: any; the next audit tries again.
   */
  check?(
    watermarksByPartition: ReadonlyMap<number, TopicWatermarks>,
    topicId: string,
  ): Promise<ReadonlySet<number>>;
  /**
   * Decodes messages of a partition.
   *
   * **Errors**: any; the reader tries again.
   */
  decode(batch: EncodedBatch): Promise<DecodedBatch<T>> | DecodedBatch<T>;
}

/** Where to continue a partition, or the reason why it is stopped. */
export type ReadPosition = LocatedPosition | StoppedPartition;

/** `offset` is Kafka's offset of the next message, `committedOffset` the log's offset of the last applied record. */
export interface LocatedPosition {
  readonly kind: 'at';
  readonly offset: number;
  readonly committedOffset: number;
  /** The log's offsets of records beyond it that are applied as well. */
  readonly ahead?: readonly number[];
}

export interface StoppedPartition {
  readonly kind: 'stopped';
  readonly reason: string;
}

/** Messages of a partition in order, which follow the log's offset `after`. */
export interface EncodedBatch {
  readonly partition: number;
  readonly messages: readonly KafkaMessage[];
  readonly after: number;
}

export type DecodedBatch<T> =
  | { readonly kind: 'decoded'; readonly records: readonly IncomingRecord<T>[] }
  | StoppedPartition;

export interface ReaderTiming {
  /** A member that is silent for this long counts as dead, and its partitions go to others. */
  readonly sessionTimeoutMs: number;
  /** A consumer that neither fetches nor waits for processing for this long is replaced. */
  readonly stuckAfterMs: number;
  /** Interval between checks of the topic's id and watermarks. */
  readonly auditMs: number;
}

export const READER_TIMING: ReaderTiming = { sessionTimeoutMs: 10_000, stuckAfterMs: 20_000, auditMs: 5_000 };
