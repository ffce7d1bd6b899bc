import { OffsetConflictError } from '@stratalog/model';
import type { Batch, BatchHandler, LogRange, LogRecord } from '@stratalog/ports';
import { Pace } from './pace';

export interface DeliveryOptions<T, R> {
  /** At most this many records per batch. */
  readonly maxRecords: number;
  /** Batches begin so far apart at least, so that under load they are fewer and larger; 0 unless given. */
  readonly paceMs?: number;
  /** Whether a second batch, of other partitions, may be under way when much waits. */
  readonly inPairs?: boolean;
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
/** With fewer records two batches would only cost twice. */
const PAIR_RECORDS = 200;

/** What waits of one partition. A partition that is read from elsewhere gets a new lane, so that nothing late touches it. */
interface Lane<T> {
  readonly partition: number;
  applied: number;
  /** Up to here everything was read, holes included. */
  through: number;
  readonly waiting: IncomingRecord<T>[];
  isUnderWay: boolean;
}

interface Taken<T> {
  readonly lane: Lane<T>;
  readonly records: readonly IncomingRecord<T>[];
  readonly to: number;
}

/**
 * Hands the records of several partitions to one handler, one batch after another. Partitions share a batch, because the handler's
 * commit costs much the same for one record and for many.
 *
 * In pairs, a second batch is begun beside the first as soon as enough waits, so that this process works on one while the store
 * commits the other. A partition is never in both: its records are handed over in order.
 */
export class BatchDelivery<T, R> {
  private readonly lanes = new Map<number, Lane<T>>();
  private waitingBytes = 0;
  private readonly running = new Set<Promise<void>>();
  private readonly pace: Pace;
  private stopped = false;
  private failure: string | undefined;
  private retryTimer: NodeJS.Timeout | undefined;
  private readonly roomWaiters = new Set<() => void>();

  constructor(private readonly options: DeliveryOptions<T, R>) {
    this.pace = new Pace(options.paceMs ?? 0);
  }

  /** Why the last batch was not dealt with; absent when it was. */
  get trouble(): string | undefined {
    return this.failure;
  }

  /** The partition is read from here on; what waited of it is dropped. */
  open(partition: number, applied: number): void {
    this.drop(partition);
    this.lanes.set(partition, { partition, applied, through: applied, waiting: [], isUnderWay: false });
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

  /** Ends after the batches under way. */
  async stop(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.retryTimer);
    this.freed(0);
    await Promise.all(this.running);
    this.lanes.clear();
  }

  private freed(bytes: number): void {
    this.waitingBytes -= bytes;
    for (const wake of [...this.roomWaiters]) wake();
  }

  private work(): void {
    const limit = this.options.inPairs === true ? 2 : 1;
    if (this.stopped || this.retryTimer !== undefined || this.running.size >= limit) return;
    const loop = this.loop().finally(() => this.running.delete(loop));
    this.running.add(loop);
  }

  private async loop(): Promise<void> {
    // One turn of the event loop lets the partitions of one answer share a batch.
    await new Promise(setImmediate);
    while (!this.stopped && this.retryTimer === undefined) {
      await this.pace.turn();
      const taken = this.take();
      if (taken.length === 0) break;
      for (const { lane } of taken) lane.isUnderWay = true;
      this.work();
      await this.deliver(taken);
      for (const { lane } of taken) lane.isUnderWay = false;
    }
  }

  /** The first records of each lane; every lane gets its share, so that a busy one starves none. */
  private take(): Taken<T>[] {
    if (this.stopped) return [];
    const lanes = this.due();
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

  /** Lanes that something waits in: all, or when much waits every second one, which leaves the others to the batch beside. */
  private due(): readonly Lane<T>[] {
    const lanes = [...this.lanes.values()];
    const due = lanes.filter((lane) => !lane.isUnderWay && lane.through > lane.applied);
    const isMuch = due.reduce((sum, { waiting }) => sum + waiting.length, 0) >= PAIR_RECORDS;
    if (lanes.some(({ isUnderWay }) => isUnderWay)) return isMuch ? due : [];
    return isMuch && this.options.inPairs === true ? due.filter((_, at) => at % 2 === 0) : due;
  }

  private async deliver(taken: readonly Taken<T>[]): Promise<void> {
    const batch = parseBatch(taken);
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
    if (error instanceof OffsetConflictError) {
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

function parseBatch<T>(taken: readonly Taken<T>[]): Batch<T> {
  return {
    records: taken.flatMap(({ records }) => records.map(({ record }) => record)),
    ranges: taken.map(({ lane, to }) => ({ partition: lane.partition, from: lane.applied, to })),
  };
}
