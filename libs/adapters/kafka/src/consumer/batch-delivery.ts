import { OffsetConflictError } from '@stratalog/domain';
import { GrowingDelay, handledPart } from '@stratalog/concurrency';
import type { Batch, BatchHandler, LogRange } from '@stratalog/ports';
import { BatchInterval } from './batch-interval';
import { BatchTurns, type TurnOptions } from './batch-turns';
import {
  openQueue,
  settle,
  toRange,
  type IncomingRecord,
  type PartitionQueue,
  type Taken,
} from './partition-queue';

export interface DeliveryOptions<T, R> extends TurnOptions<T> {
  /**
   * Minimum interval between the starts of two batches, so that under load batches are fewer and larger. Default: 0 ms.
   */
  readonly minIntervalMs?: number;
  /** True when a second batch, of other partitions, may be in flight while many records wait. */
  readonly twoInFlight?: boolean;
  readonly handler: BatchHandler<T, R>;
  /** Called with the handled part of a batch after the handler answered `done`. */
  readonly onDone: (batch: Batch<T>, results: readonly R[]) => void;
  /**
   * Called when the stored offsets of these partitions differ from the delivered ones; the reader must locate them
   * again.
   */
  readonly onOffsetConflict: (partitions: readonly number[]) => void;
}

/** Maximum bytes of records that wait for the handler; beyond it, reading pauses. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const RETRY_DELAY_MS = 250;
/** Minimum number of waiting records for a second batch. With fewer, two batches only cost twice as much. */
const MIN_RECORDS_FOR_TWO = 200;

/**
 * Delivers the records of several partitions to one handler, in batches.
 *
 * Partitions share a batch, because the handler's commit costs about the same for one record and for many.
 *
 * A handler may leave a part of a batch, whose work takes several commits. Then the other partitions come first, and such
 * partitions take turns. Where urns alone keep their order, new records of other urns take turns with those that were left,
 * so some are applied ahead of earlier ones; those of other partitions need not wait for a turn.
 *
 * With `twoInFlight`, a second batch starts once enough records wait, so that this process works on one while the store
 * commits the other. A partition is never in both: its records are delivered in order.
 */
export class BatchDelivery<T, R> {
  private readonly queues = new Map<number, PartitionQueue<T>>();
  private waitingBytes = 0;
  private readonly running = new Set<Promise<void>>();
  private readonly interval: BatchInterval;
  private readonly turns: BatchTurns<T>;
  /** True while a batch of records that the handler has left before is in flight. */
  private isLeftInFlight = false;
  private stopped = false;
  private failure: string | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private readonly retryDelay = new GrowingDelay(RETRY_DELAY_MS);
  /** Readers that wait until more records may be read. */
  private readonly readers: (() => void)[] = [];

  constructor(private readonly options: DeliveryOptions<T, R>) {
    this.interval = new BatchInterval(options.minIntervalMs ?? 0);
    this.turns = new BatchTurns(options);
  }

  /** Reason why the last batch failed; undefined after a success. */
  get failureReason(): string | undefined {
    return this.failure;
  }

  /** True when records may be applied ahead of earlier ones of their partition. */
  private get mayPass(): boolean {
    return this.options.urnsOf !== undefined;
  }

  /** Starts delivery of a partition after `committedOffset`; drops its waiting records. */
  open(partition: number, committedOffset: number, ahead: readonly number[] = []): void {
    this.drop(partition);
    this.queues.set(partition, openQueue(partition, committedOffset, ahead));
  }

  drop(partition: number): void {
    const queue = this.queues.get(partition);
    if (queue === undefined) return;
    this.queues.delete(partition);
    this.release(sumBytes(queue.waiting));
  }

  /**
   * Queues the records that were read from a partition, up to offset `through`. Resolves once more records may be read.
   */
  async push(partition: number, records: readonly IncomingRecord<T>[], through: number): Promise<void> {
    const queue = this.queues.get(partition);
    if (queue === undefined) return;
    const applied = new Set(queue.ahead);
    const waiting = records.filter(({ record }) => !applied.has(record.offset));
    queue.waiting.push(...waiting);
    queue.through = through;
    this.waitingBytes += sumBytes(waiting);
    this.work();
    if (this.waitingBytes <= MAX_WAITING_BYTES) return;
    await new Promise<void>((resolve) => this.readers.push(resolve));
  }

  /** Stops after the batches in flight. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retryTimer);
    this.release(0);
    await Promise.all(this.running);
    this.queues.clear();
  }

  private release(bytes: number): void {
    this.waitingBytes -= bytes;
    if (this.waitingBytes > MAX_WAITING_BYTES && !this.stopped) return;
    for (const wake of this.readers.splice(0)) wake();
  }

  private work(): void {
    const limit = this.options.twoInFlight === true ? 2 : 1;
    if (this.stopped || this.retryTimer !== undefined || this.running.size >= limit) return;
    const loop = this.loop().finally(() => this.running.delete(loop));
    this.running.add(loop);
  }

  private async loop(): Promise<void> {
    // One turn of the event loop lets the partitions of one fetch share a batch.
    await new Promise(setImmediate);
    while (!this.stopped && this.retryTimer === undefined) {
      await this.interval.turn();
      const { taken, isOfLeft } = this.turns.next(this.selectDue(), !this.isLeftInFlight);
      if (taken.length === 0) break;
      for (const { queue } of taken) queue.isInFlight = true;
      this.isLeftInFlight ||= isOfLeft;
      this.work();
      await this.deliver(taken);
      for (const { queue } of taken) queue.isInFlight = false;
      if (isOfLeft) this.isLeftInFlight = false;
    }
  }

  /**
   * Selects the queues with waiting records: all, or every second one when many records wait. The others are for the
   * concurrent batch, and so are those that have nothing to do with records that were left.
   */
  private selectDue(): readonly PartitionQueue<T>[] {
    if (this.stopped) return [];
    const queues = [...this.queues.values()];
    const due = queues.filter((queue) => !queue.isInFlight && queue.through > queue.committedOffset);
    const areMany = due.reduce((sum, { waiting }) => sum + waiting.length, 0) >= MIN_RECORDS_FOR_TWO;
    if (queues.some(({ isInFlight }) => isInFlight)) return areMany || this.isLeftInFlight ? due : [];
    return areMany && this.options.twoInFlight === true ? due.filter((_, at) => at % 2 === 0) : due;
  }

  private async deliver(taken: readonly Taken<T>[]): Promise<void> {
    const batch = {
      records: taken.flatMap(({ records }) => records.map(({ record }) => record)),
      ranges: taken.map((each) => toRange(each, this.mayPass)),
    };
    try {
      const verdict = await this.options.handler(batch);
      if (verdict.kind === 'retry') throw verdict.cause;
      this.failure = undefined;
      this.retryDelay.succeeded();
      const handled = handledPart(batch, verdict.rest);
      for (const each of taken) this.settle(each, handled);
      this.options.onDone(handled, verdict.results);
    } catch (error) {
      this.onFailure(batch.ranges, error);
    }
  }

  /** Removes the handled records of a partition. One that has left some, and has had its turn, goes behind the others. */
  private settle(taken: Taken<T>, handled: Batch<T>): void {
    const { queue } = taken;
    const { done, isWhole } = settle(taken, handled, this.mayPass);
    if (this.queues.get(queue.partition) !== queue) return;
    this.release(sumBytes(done));
    if (isWhole || done.length === 0) return;
    this.queues.delete(queue.partition);
    this.queues.set(queue.partition, queue);
  }

  private onFailure(ranges: readonly LogRange[], error: unknown): void {
    if (error instanceof OffsetConflictError) {
      const partitions = ranges.map(({ partition }) => partition);
      for (const partition of partitions) this.drop(partition);
      this.options.onOffsetConflict(partitions);
      return;
    }
    this.failure = error instanceof Error ? error.message : String(error);
    if (this.stopped) return;
    this.retryTimer = setTimeout(() => {
      this.retryTimer = undefined;
      this.work();
    }, this.retryDelay.failed());
  }
}

function sumBytes(records: readonly { readonly bytes: number }[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes, 0);
}
