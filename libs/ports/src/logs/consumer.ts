/**
 * How a log delivers and what a handler answers. Every log, whatever its technology, is a set of partitions of numbered
 * records; a handler sees batches and answers with a verdict, never with an exception it expects someone to understand.
 */

/** One record of a log partition. Offsets count from 1 without gap or repeat. */
export interface LogRecord<T> {
  readonly partition: number;
  readonly offset: number;
  readonly content: LogContent<T>;
}

export type LogContent<T> =
  | { readonly kind: 'decoded'; readonly value: T }
  /** Bytes that are no record of this log; kept to be parked with the reason. */
  | { readonly kind: 'undecodable'; readonly bytes: Uint8Array; readonly reason: string };

/** The part of one partition that a batch covers: after `from`, up to and including `to`. */
export interface LogRange {
  readonly partition: number;
  readonly from: number;
  readonly to: number;
  /**
   * True when the log does not hold these records: they are handed over before being logged, and count as logged once they are
   * applied. That is allowed only while the partition has nothing else to apply.
   */
  readonly unlogged?: boolean;
}

/** Records of one or several partitions; within a partition in log order and complete for its range. */
export interface Batch<T> {
  readonly records: readonly LogRecord<T>[];
  readonly ranges: readonly LogRange[];
}

export type Verdict<R> =
  /** Everything in the batch is dealt with, rejected records included; one result for each record, in order. */
  | { readonly kind: 'done'; readonly results: readonly R[] }
  /** Nothing was dealt with, because something that the handler needs is away. The same records come again. */
  | { readonly kind: 'retry'; readonly cause: unknown };

/**
 * **Order and repeats**: batches of one partition come one after another; a batch may come again after a crash or a `retry`,
 * so a handler makes repeats harmless.
 */
export type BatchHandler<T, R> = (batch: Batch<T>) => Promise<Verdict<R>>;

/** A running reader of a log. */
export interface Subscription {
  /** Starts reading; resolves once records can flow. */
  start(): Promise<void>;
  /** Stops after the batch in hand. */
  stop(): Promise<void>;
  status(): SubscriptionStatus;
}

export type SubscriptionStatus =
  | { readonly state: 'stopped' }
  /** Catching up before it is of use, for instance building an index. */
  | { readonly state: 'starting'; readonly reason: string }
  | { readonly state: 'running' }
  /** The handler answered `retry`, or the log cannot be read; `reason` says which. */
  | { readonly state: 'retrying'; readonly reason: string };
