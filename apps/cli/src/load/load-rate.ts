/** The progress of a load at one time. */
export interface RateSample {
  readonly seconds: number;
  readonly sent: number;
  readonly bytesRead: number;
}

/** The current speed of a load and its estimated remaining time. */
export interface LoadRate {
  readonly ratePerSecond: number;
  /** The part of the file that has been read, 0 to 1; undefined when its size is not known. */
  readonly share: number | undefined;
  /** Undefined while no estimate is possible. */
  readonly secondsLeft: number | undefined;
}

/** Older samples predict little: indexes fill, caches warm up, other programs use the machine. */
const WINDOW_SECONDS = 15;
/** A rate over a shorter time is random. */
const MIN_SECONDS = 1;

/** Measures the rate of a load from samples of its last seconds. */
export class RateMeter {
  private samples: RateSample[] = [{ seconds: 0, sent: 0, bytesRead: 0 }];

  /** `size` of the file in bytes; undefined when it is not known. */
  constructor(private readonly size: number | undefined) {}

  /** Adds a sample, later than the previous ones, and returns the rate. */
  at(sample: RateSample): LoadRate {
    this.samples = [
      ...this.samples.filter(({ seconds }) => sample.seconds - seconds <= WINDOW_SECONDS),
      sample,
    ];
    const first = this.samples[0] ?? sample;
    const elapsed = sample.seconds - first.seconds;
    const bytesPerSecond = (sample.bytesRead - first.bytesRead) / elapsed;
    const left = (this.size ?? 0) - sample.bytesRead;
    const isKnown = this.size !== undefined && elapsed >= MIN_SECONDS && bytesPerSecond > 0;
    return {
      ratePerSecond: elapsed > 0 ? Math.round((sample.sent - first.sent) / elapsed) : 0,
      share:
        this.size === undefined || this.size === 0 ? undefined : Math.min(1, sample.bytesRead / this.size),
      secondsLeft: isKnown ? Math.max(0, left / bytesPerSecond) : undefined,
    };
  }
}
