import { setTimeout as delay } from 'node:timers/promises';

/** Keeps a minimum interval between starts, so that under load batches are fewer and larger. */
export class BatchInterval {
  private lastAt = -Infinity;

  constructor(private readonly minIntervalMs: number) {}

  /** Resolves when the next batch may start; at once after a long pause. */
  async turn(): Promise<void> {
    const waitMs = this.lastAt + this.minIntervalMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    this.lastAt = performance.now();
  }
}
