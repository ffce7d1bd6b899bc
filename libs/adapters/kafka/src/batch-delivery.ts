import { setTimeout as delay } from 'node:timers/promises';
import { LogMovedError } from '@stratalog/model';
import type { Batch, BatchHandler, LogRange, LogRecord } from '@stratalog/ports';

export interface DeliveryOptions<T, R> {
  /** At most this many records per batch. */
  readonly maxRecords: number;
  /** Batches begin so far apart at least, so that under load they are fewer and larger; 0 unless given. */
  readonly paceMs?: number;
  readonly handler: BatchHandler<T, R>;
  /** After a batch was dealt with. */
  readonly onDone: (batch: Batch<T>, results: readonly R[]) => void;
  /** The stored offsets of these partitions are not what we thought: they are read again. */
  readonly onMoved: (partitions: readonly number[]) => void;
}

export interface IncomingRecord<T> {
  readonly record: LogRecord<T>;
  readonly bytes: number;
}

/** So many bytes of records may wait for the handler; reading pauses beyond. */
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
/** A batch holds so many bytes at most, unless a single record is larger. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const RETRY_DELAY_MS = 250;

/** What waits of one partition. A partition that is read from elsewhere gets a new lane, so that nothing late touches it. */
interface Lane<T> {
  readonly partition: number;
  applied: number;
  /** Up to here everything was read, holes included. */
  through: number;
  readonly waiting: IncomingRecord<T>[];
}

interface Taken<T> {
  readonly lane: Lane<T>;
  readonly records: readonly IncomingRecord<T>[];
  readonly to: number;
}

/**
 * Hands the records of several partitions to one handler, one batch after another. Partitions share a batch, because the handler's
 * commit costs much the same for one record and for many.
 */
export class BatchDelivery<T, R> {
  private readonly lanes = new Map<number, Lane<T>>();
  private waitingBytes = 0;
  private running: Promise<void> | undefined;
  private stopped = false;
  private lastBatchAt = -Infinity;
  private failure: string | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private readonly roomWaiters = new Set<() => void>();

  constructor(private readonly options: DeliveryOptions<T, R>) {}

  /** Why the last batch was not dealt with; absent when it was. */
  get trouble(): string | undefined {
    return this.failure;
  }

  /** The partition is read from here on; what waited of it is dropped. */
  open(partition: number, applied: number): void {
    this.drop(partition);
    this.lanes.set(partition, { partition, applied, through: applied, waiting: [] });
  }

  drop(partition: number): void {
    const lane = this.lanes.get(partition);
    if (lane === undefined) return;
    this.lanes.delete(partition);
    this.freed(bytesOf(lane.waiting));
  }

  /** What was read of a partition up to `through`. */
  push(partition: number, records: readonly IncomingRecord<T>[], through: number): void {
    const lane = this.lanes.get(partition);
    if (lane === undefined) return;
    lane.waiting.push(...records);
    lane.through = through;
    this.waitingBytes += bytesOf(records);
    this.work();
  }

  /** Resolves with true while there is room for more; else with false, once something was dealt with or after `timeoutMs`. */
  async room(timeoutMs: number): Promise<boolean> {
    if (this.waitingBytes <= MAX_WAITING_BYTES) return true;
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        this.roomWaiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.roomWaiters.add(wake);
    });
    return false;
  }

  /** Ends after the batch in hand. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retryTimer);
    this.freed(0);
    await this.running;
    this.lanes.clear();
  }

  private freed(bytes: number): void {
    this.waitingBytes -= bytes;
    for (const wake of [...this.roomWaiters]) wake();
  }

  private work(): void {
    if (this.stopped || this.retryTimer !== undefined) return;
    this.running ??= this.loop();
  }

  private async loop(): Promise<void> {
    // One turn of the event loop lets the partitions of one answer share a batch.
    await new Promise(setImmediate);
    while (!this.stopped && this.retryTimer === undefined) {
      await this.pace();
      const taken = this.take();
      if (taken.length === 0) break;
      await this.deliver(taken);
    }
    this.running = undefined;
  }

  /** The first batch after a pause goes at once. */
  private async pace(): Promise<void> {
    const { paceMs = 0 } = this.options;
    const wait = this.lastBatchAt + paceMs - performance.now();
    if (wait > 0) await delay(wait);
    this.lastBatchAt = performance.now();
  }

  /** The first records of each lane; every lane gets its share, so that a busy one starves none. */
  private take(): Taken<T>[] {
    if (this.stopped) return [];
    const lanes = [...this.lanes.values()].filter((lane) => lane.through > lane.applied);
    const share = Math.ceil(this.options.maxRecords / Math.max(1, lanes.length));
    let room = MAX_BATCH_BYTES;
    const taken: Taken<T>[] = [];
    for (const lane of lanes) {
      let count = 0;
      for (const { bytes } of lane.waiting) {
        if (count >= share || (bytes > room && (count > 0 || taken.length > 0))) break;
        room -= bytes;
        count++;
      }
      const records = lane.waiting.slice(0, count);
      const to = count === lane.waiting.length ? lane.through : records.at(-1)?.record.offset;
      if (to !== undefined) taken.push({ lane, records, to });
    }
    return taken;
  }

  private async deliver(taken: readonly Taken<T>[]): Promise<void> {
    const batch = batchOf(taken);
    try {
      const verdict = await this.options.handler(batch);
      if (verdict.kind === 'retry') throw verdict.cause;
      this.failure = undefined;
      for (const { lane, records, to } of taken) {
        lane.waiting.splice(0, records.length);
        lane.applied = to;
        if (this.lanes.get(lane.partition) === lane) this.freed(bytesOf(records));
      }
      this.options.onDone(batch, verdict.results);
    } catch (error) {
      this.onFailure(batch.ranges, error);
    }
  }

  private onFailure(ranges: readonly LogRange[], error: unknown): void {
    if (error instanceof LogMovedError) {
      const partitions = ranges.map(({ partition }) => partition);
      for (const partition of partitions) this.drop(partition);
      this.options.onMoved(partitions);
      return;
    }
    this.failure = error instanceof Error ? error.message : String(error);
    if (this.stopped) return;
    this.retryTimer = setTimeout(() => {
      this.retryTimer = undefined;
      this.work();
    }, RETRY_DELAY_MS);
  }
}

function bytesOf(records: readonly { readonly bytes: number }[]): number {
  return records.reduce((sum, { bytes }) => sum + bytes, 0);
}

function batchOf<T>(taken: readonly Taken<T>[]): Batch<T> {
  return {
    records: taken.flatMap(({ records }) => records.map(({ record }) => record)),
    ranges: taken.map(({ lane, to }) => ({ partition: lane.partition, from: lane.applied, to })),
  };
}
