/**
 * Defines how a log delivers and how a handler answers.
 *
 * Every log, whatever its technology, is a set of partitions of numbered records. A handler receives batches and
 * answers with a verdict. An exception is not an answer.
 */

/** One record of a log partition. Offsets count from 1 without gap or repeat. */
export interface LogRecord<T> {
  readonly partition: number;
  readonly offset: number;
  readonly content: LogContent<T>;
}

export type LogContent<T> =
  | { readonly kind: 'decoded'; readonly value: T }
  /** Bytes that are not a record of this log. They become a dead letter with the reason. */
  | { readonly kind: 'undecodable'; readonly bytes: Uint8Array; readonly reason: string };

/** The part of one partition that a batch covers: after `from`, up to and including `to`. */
export interface LogRange {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
  /**
   * True when the log does not hold these records yet: they are delivered before they are logged, and applying them
   * logs them.
   *
   * Allowed only while the partition has no other record to apply, or with {@link passing}.
   */
  readonly unlogged?: boolean;
  /**
   * Offset of the last record of the partition, when unlogged records are applied before the records that the log
   * holds. Allowed only while no such record names one of their urns. Applying them moves no offset: `to` is `from`.
   */
  readonly passing?: number;
  /** Present where a handler may leave any records, as long as it leaves all later ones of their urns. */
  readonly ahead?: AppliedAhead;
}

/** Offsets, in ascending order, of records that are applied although earlier ones of their partition are not. */
interface AppliedAhead {
  /** Those beyond `from`, before the batch. */
  readonly before: readonly number[];
  /** Those beyond `to`, once the batch is applied. */
  readonly after: readonly number[];
}

/** Records of one or several partitions; within a partition in log order and complete for its range. */
export interface Batch<T> {
  readonly records: readonly LogRecord<T>[];
  readonly ranges: readonly LogRange[];
}

export type Verdict<R, T = never> =
  /**
   * The handler has handled the records of the batch, including rejected ones, except those of `rest`. One result for
   * each handled record, in order.
   */
  | {
      readonly kind: 'done';
      readonly results: readonly R[];
      /**
       * Records of the batch that the handler left, so that other work gets its turn; the log delivers them again. They
       * are the last ones of their partition. Of unlogged records, and of ranges with {@link LogRange.ahead}, they may be
       * any, with all later ones of their urns.
       */
      readonly rest?: Batch<T>;
    }
  /**
   * The handler has handled nothing, because something that it needs is unavailable. The log delivers the same records
   * again.
   */
  | { readonly kind: 'retry'; readonly cause: unknown };

/**
 * Handles one batch.
 *
 * **Order and repeats**: batches of one partition arrive one after another. A batch may arrive again after a crash or a
 * `retry`, so the handler must be idempotent.
 */
export type BatchHandler<T, R> = (batch: Batch<T>) => Promise<Verdict<R, T>>;

/** How far a consumer is in each partition of its log. */
export type ConsumerProgress = ReadonlyMap<number, PartitionProgress>;

export interface PartitionProgress {
  /** Offset, or sequence number, up to which the records are handled. */
  readonly committedOffset: number;
  /** That of the last record of the partition. */
  readonly endOffset: number;
}

/** A running reader of a log. */
export interface Subscription {
  /** Starts reading; resolves once records can flow. */
  start(): Promise<void>;
  /** Stops after the current batch. */
  stop(): Promise<void>;
  status(): SubscriptionStatus;
}

export type SubscriptionStatus =
  | { readonly state: 'stopped' }
  /** Catching up before it is useful, for instance while it builds an index. */
  | { readonly state: 'starting'; readonly reason: string }
  | { readonly state: 'running' }
  /** The handler answered `retry`, or the log cannot be read; `reason` says which. */
  | { readonly state: 'retrying'; readonly reason: string };
