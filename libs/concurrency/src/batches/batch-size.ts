/** Failures of an item alone, in a row, before it counts as the cause. A stalled disk, or a lock, may be that of the first ones. */
const MAX_ATTEMPTS = 3;

/**
 * How many items the next write takes: fewer after one that failed, twice as many after one that succeeded. So a write for which a server
 * lacks room or time shrinks until it fits, or until one item is the cause.
 */
export class BatchSize {
  private size: number;
  /** The item that failed alone, and how often in a row. */
  private suspect = { id: '', attempts: 0 };

  constructor(private readonly largest: number) {
    this.size = largest;
  }

  /** Most items of the next write. */
  get items(): number {
    return this.size;
  }

  /** True after a failure, until writes of full size succeed again. */
  get isReduced(): boolean {
    return this.size < this.largest;
  }

  /** Counts a write that failed: the next ones take at most so many items. */
  failed(most: number): void {
    this.size = Math.max(1, Math.min(this.size, Math.floor(most)));
  }

  /** Counts a write that succeeded. One of few items says nothing about one of many. */
  succeeded(items: number): void {
    if (items >= this.size) this.size = Math.min(this.largest, 2 * this.size);
  }

  /** Counts a failure of one item alone; true when the item is the cause. */
  isCause(id: string): boolean {
    this.suspect = { id, attempts: id === this.suspect.id ? this.suspect.attempts + 1 : 1 };
    return this.suspect.attempts >= MAX_ATTEMPTS;
  }
}
