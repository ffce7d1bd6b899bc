import { uptime } from 'node:os';
import { systemClock } from '@stratalog/concurrency';
import type { Clock } from '@stratalog/ports';

/** The machine's sources of elapsed time. */
export interface TimeSources {
  /** Epoch ms, as the machine reports it. */
  wall(): number;
  /**
   * Ms since an arbitrary start, independent of the wall clock; it may stand still while the machine sleeps.
   */
  steady(): number;
  /** Ms since boot, including the time that the machine has slept; coarser. */
  sinceBoot(): number;
}

const SYSTEM_TIME: TimeSources = {
  wall: () => systemClock.now(),
  steady: () => performance.now(),
  sinceBoot: () => uptime() * 1_000,
};

export interface PlausibleClockOptions {
  /** The limit for the difference between the clock and its reference. */
  readonly maxStepMs: number;
  /** The limit for the time that a store may be idle before a start. */
  readonly maxIdleMs: number;
  /** The operator has confirmed the clock of this start. */
  readonly isAccepted: boolean;
  readonly time?: TimeSources;
}

/** The times that the store reports. */
export interface StoreTime {
  /** The time of the database server, epoch ms. */
  readonly serverMs: number;
  /** The last stamp of the store; 0 when it has none. */
  readonly lastStampMs: number;
  /** The last time a process used the store with a plausible clock; 0 when none did. */
  readonly lastSeenMs: number;
}

/** The interval at which the trusted time advances: reading the machine's uptime costs more than the rest. */
const MOVE_ALONG_MS = 1_000;

interface TimeReading {
  readonly wall: number;
  readonly steady: number;
  readonly sinceBoot: number;
}

/**
 * The clock of the process, and whether it is plausible. It is compared with three references, each within
 * `maxStepMs`: the time elapsed since it was last trusted, the database server's clock, and the last stamp of
 * the store, which it must not trail. At a start no reference gives the time since the store was last used,
 * so that gap may be `maxIdleMs` at most.
 *
 * A clock that is corrected becomes plausible again by itself.
 */
export class PlausibleClock implements Clock {
  private readonly time: TimeSources;
  private believed: TimeReading;
  private isStarted = false;
  private storeDoubt: string | undefined;

  constructor(private readonly options: PlausibleClockOptions) {
    this.time = options.time ?? SYSTEM_TIME;
    this.believed = this.readTime();
  }

  now(): number {
    return this.time.wall();
  }

  doubt(lastStampMs = 0): string | undefined {
    return this.storeDoubt ?? this.stepDoubt() ?? this.behind(lastStampMs);
  }

  /** Compares the clock with the store; returns the new value of `doubt`. */
  compare({ serverMs, lastStampMs, lastSeenMs }: StoreTime): string | undefined {
    const wasDoubted = this.storeDoubt !== undefined;
    const lastMs = Math.max(lastStampMs, lastSeenMs);
    this.storeDoubt = this.apart(serverMs) ?? this.behind(lastStampMs) ?? this.afterStart(lastMs);
    // The store decides about a clock that it doubts: the elapsed time does not matter then.
    if (this.storeDoubt !== undefined || wasDoubted) this.believed = this.readTime();
    else this.isStarted = true;
    return this.doubt();
  }

  private apart(serverMs: number): string | undefined {
    if (this.isNear(serverMs)) return undefined;
    return `The clock of this machine says ${toText(this.now())}, that of the database server ${toText(serverMs)}; one of them is wrong`;
  }

  private behind(lastStampMs: number): string | undefined {
    const now = this.now();
    if (lastStampMs - now <= this.options.maxStepMs) return undefined;
    return (
      `The clock of this machine says ${toText(now)}, but the store has a stamp of ${toText(lastStampMs)}; if the clock is right, ` +
      `start once with STRATALOG_ACCEPT_CLOCK=${dayOf(now)}, which corrects the stamps`
    );
  }

  private afterStart(lastMs: number): string | undefined {
    const now = this.now();
    const { isAccepted, maxIdleMs } = this.options;
    if (this.isStarted || isAccepted || lastMs === 0 || now - lastMs <= maxIdleMs) return undefined;
    return (
      `The clock of this machine says ${toText(now)}, but the store was last used at ${toText(lastMs)}; if the clock is right, ` +
      `start once with STRATALOG_ACCEPT_CLOCK=${dayOf(now)}`
    );
  }

  /** Advances the trusted time, as long as the clock has advanced as far as the elapsed time. */
  private stepDoubt(): string | undefined {
    const { wall, steady, sinceBoot } = this.believed;
    const passedMs = this.time.steady() - steady;
    if (passedMs < MOVE_ALONG_MS && this.isNear(wall + passedMs)) return undefined;
    const reading = this.readTime();
    const expected = [wall + reading.steady - steady, wall + reading.sinceBoot - sinceBoot];
    if (expected.some((each) => this.isNear(each))) {
      this.believed = reading;
      return undefined;
    }
    return (
      `The clock of this machine has jumped: it says ${toText(reading.wall)}, and ${toText(Math.max(...expected))} is expected; ` +
      'set it right, or restart the process if it is right now'
    );
  }

  private isNear(timeMs: number): boolean {
    return Math.abs(this.now() - timeMs) <= this.options.maxStepMs;
  }

  private readTime(): TimeReading {
    return { wall: this.time.wall(), steady: this.time.steady(), sinceBoot: this.time.sinceBoot() };
  }
}

function toText(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? `${String(timeMs)} ms` : date.toISOString();
}

/** Formats the day in UTC, as `STRATALOG_ACCEPT_CLOCK` names it. */
export function dayOf(timeMs: number): string {
  return toText(timeMs).slice(0, 10);
}
