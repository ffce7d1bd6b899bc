import { jest } from '@jest/globals';

/** The wall clock of this process, moved forward or back by hand; time passes on it as usual. */
export class SteppedClock {
  private readonly real = Date.now.bind(Date);
  private aheadMs = 0;

  constructor() {
    jest.spyOn(Date, 'now').mockImplementation(() => this.real() + this.aheadMs);
  }

  /** Sets the clock this far from the time of the machine. */
  set(aheadMs: number): void {
    this.aheadMs = aheadMs;
  }

  restore(): void {
    jest.restoreAllMocks();
  }
}
