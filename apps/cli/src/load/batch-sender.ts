import { partitionOf } from '@stratalog/domain';
import { measureSize, takeBatch, type BatchBounds, type WaitingWrite } from './take-batch';

export interface BatchSenderOptions<T> {
  /** Batches under way at the same time. */
  readonly lanes: number;
  readonly bounds: BatchBounds;
  /** The time for which an idle lane waits for a full batch. */
  readonly lingerMs: number;
  /** Sends a batch, which is never empty; a rejected promise ends the whole load. */
  readonly run: (batch: readonly T[]) => Promise<void>;
}

interface Lane<T> {
  readonly waiting: T[];
  isBusy: boolean;
  lingering: NodeJS.Timeout | undefined;
}

/**
 * The limit for waiting writes, in batches per lane: one that forms while another is under way, and one in
 * reserve.
 */
const BATCHES_WAITING = 2;
/** The same limit in characters, whatever a batch holds. */
const MAX_WAITING_CHARACTERS = 32 * 1024 * 1024;

/**
 * Sends writes in batches, several at once and never two that share a urn.
 *
 * A urn belongs to one lane, by the hash that spreads urns over the partitions of a store, and a lane has one
 * batch under way at most. So the writes of a urn keep their order. With 2, 4, 8 or 16 lanes two batches
 * rarely meet in one partition, where one would wait for the other.
 */
export class BatchSender<T extends WaitingWrite> {
  private readonly lanes: readonly Lane<T>[];
  private readonly maxWaiting: number;
  private busy = 0;
  private waiting = 0;
  private waitingCharacters = 0;
  private isStopped = false;
  private failure: { readonly error: unknown } | undefined;
  private wake: (() => void) | undefined;

  constructor(private readonly options: BatchSenderOptions<T>) {
    this.lanes = Array.from({ length: options.lanes }, () => ({
      waiting: [],
      isBusy: false,
      lingering: undefined,
    }));
    this.maxWaiting = options.lanes * options.bounds.writes * BATCHES_WAITING;
  }

  /**
   * Adds a write and returns when there is room for another. One caller at a time. After {@link stop} it does
   * nothing.
   *
   * **Errors**: rejects with the error of a failed batch, after which no batch is sent.
   */
  async add(item: T): Promise<void> {
    const lane = this.lanes[partitionOf(item.write.urn, this.lanes.length)];
    if (this.isStopped || lane === undefined) return;
    lane.waiting.push(item);
    this.waiting++;
    this.waitingCharacters += measureSize(item.write);
    if (!lane.isBusy) this.startWhenFull(lane);
    if (this.hasRoom()) return;
    // The caller adds no more writes while it waits, so lanes need not wait for full batches.
    this.startAll();
    await this.until(() => this.hasRoom());
  }

  /**
   * Resolves when no write waits or is under way any more.
   *
   * **Errors**: as {@link add}.
   */
  async drain(): Promise<void> {
    this.startAll();
    await this.until(() => this.busy === 0 && this.waiting === 0);
  }

  /** Discards unsent writes; batches under way end by themselves. */
  stop(): void {
    this.isStopped = true;
    for (const lane of this.lanes) {
      clearTimeout(lane.lingering);
      lane.waiting.length = 0;
    }
    this.waiting = 0;
    this.waitingCharacters = 0;
    this.wake?.();
  }

  private hasRoom(): boolean {
    return this.waiting < this.maxWaiting && this.waitingCharacters < MAX_WAITING_CHARACTERS;
  }

  private startAll(): void {
    for (const lane of this.lanes) this.start(lane);
  }

  private startWhenFull(lane: Lane<T>): void {
    if (lane.waiting.length >= this.options.bounds.writes) {
      this.start(lane);
      return;
    }
    lane.lingering ??= setTimeout(() => {
      this.start(lane);
    }, this.options.lingerMs);
  }

  private start(lane: Lane<T>): void {
    clearTimeout(lane.lingering);
    lane.lingering = undefined;
    if (lane.isBusy || lane.waiting.length === 0) return;
    const batch = takeBatch(lane.waiting, this.options.bounds);
    this.waiting -= batch.length;
    for (const { write } of batch) this.waitingCharacters -= measureSize(write);
    lane.isBusy = true;
    this.busy++;
    void this.options
      .run(batch)
      .catch((error: unknown) => {
        this.failure ??= { error };
        this.stop();
      })
      .finally(() => {
        lane.isBusy = false;
        this.busy--;
        this.start(lane);
        this.wake?.();
      });
  }

  private async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = undefined;
    }
    if (this.failure !== undefined) throw this.failure.error;
  }
}
