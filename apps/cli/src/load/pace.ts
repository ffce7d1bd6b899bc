/** The progress of a load at one time. */
export interface PaceMark {
  readonly seconds: number;
  readonly sent: number;
  readonly bytesRead: number;
}

/** The current speed of a load and its estimated remaining time. */
export interface Pace {
  readonly ratePerSecond: number;
  /** The part of the file that has been read, 0 to 1; undefined when its size is not known. */
  readonly share: number | undefined;
  /** Undefined while no estimate is possible. */
  readonly secondsLeft: number | undefined;
}

/** Older marks predict little: indexes fill, caches warm up, other programs use the machine. */
const WINDOW_SECONDS = 15;
/** A rate over a shorter time is random. */
const MIN_SECONDS = 1;

/** Measures the pace of a load from marks of its last seconds. */
export class PaceMeter {
  private marks: PaceMark[] = [{ seconds: 0, sent: 0, bytesRead: 0 }];

  /** `size` of the file in bytes; undefined when it is not known. */
  constructor(private readonly size: number | undefined) {}

  /** Adds a mark, later than the previous ones, and returns the pace. */
  at(mark: PaceMark): Pace {
    this.marks = [...this.marks.filter(({ seconds }) => mark.seconds - seconds <= WINDOW_SECONDS), mark];
    const first = this.marks[0] ?? mark;
    const elapsed = mark.seconds - first.seconds;
    const bytesPerSecond = (mark.bytesRead - first.bytesRead) / elapsed;
    const left = (this.size ?? 0) - mark.bytesRead;
    const isKnown = this.size !== undefined && elapsed >= MIN_SECONDS && bytesPerSecond > 0;
    return {
      ratePerSecond: elapsed > 0 ? Math.round((mark.sent - first.sent) / elapsed) : 0,
      share: this.size === undefined || this.size === 0 ? undefined : Math.min(1, mark.bytesRead / this.size),
      secondsLeft: isKnown ? Math.max(0, left / bytesPerSecond) : undefined,
    };
  }
}
