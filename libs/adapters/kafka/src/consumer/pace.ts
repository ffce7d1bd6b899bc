import { setTimeout as delay } from 'node:timers/promises';

/** Keeps the beginnings of something apart, so that under load they are fewer and each does more. */
export class Pace {
  private lastAt = -Infinity;

  constructor(private readonly paceMs: number) {}

  /** Resolves when the next may begin; the first after a pause at once. */
  async turn(): Promise<void> {
    const waitMs = this.lastAt + this.paceMs - performance.now();
    if (waitMs > 0) await delay(waitMs);
    this.lastAt = performance.now();
  }
}
