/** Changes of one commit from which on writers count as queued: their proposals wait for one another, and commit together. */
const QUEUED_CHANGES = 32;
/** Batches in a row that must come from queued writers: one alone may come from writes that waited for the batch before. */
const MIN_QUEUED_BATCHES = 3;
/** Pause for each millisecond of the batch before, and the longest one. */
const PAUSE_SHARE = 4;
const MAX_PAUSE_MS = 2_000;
/** A consumer that has been behind for this time pauses no more until it has caught up. */
const MAX_BEHIND_MS = 5_000;

/** A batch that a consumer of the change log has handled. */
export interface HandledBatch {
  /** Number of its changes. */
  readonly changes: number;
  /** Number of commits of this process since the end of the batch before. */
  readonly commits: number;
  readonly tookMs: number;
  /** True when changes were left for the next one. */
  readonly hasMore: boolean;
}

/**
 * Leaves the processor to writers while they queue: a consumer of the change log in the same process pauses after each batch. What
 * came meanwhile it handles together, several changes of an entity for the price of one.
 *
 * Its lag stays bounded: it does not pause once it has been behind for 5 s.
 */
export class ReaderBackpressure {
  private caughtUpAt: number;
  private queuedBatches = 0;

  constructor(private readonly now = (): number => performance.now()) {
    this.caughtUpAt = now();
  }

  /** Returns the pause after a batch, in milliseconds. */
  pauseAfter({ changes, commits, tookMs, hasMore }: HandledBatch): number {
    const now = this.now();
    if (!hasMore) this.caughtUpAt = now;
    const isQueued = commits > 0 && changes / commits >= QUEUED_CHANGES;
    this.queuedBatches = isQueued ? this.queuedBatches + 1 : 0;
    if (this.queuedBatches < MIN_QUEUED_BATCHES || now - this.caughtUpAt > MAX_BEHIND_MS) return 0;
    return Math.min(PAUSE_SHARE * tookMs, MAX_PAUSE_MS);
  }
}
