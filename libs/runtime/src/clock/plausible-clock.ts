import { uptime } from 'node:os';
import { systemClock, type Clock } from '@stratalog/ports';

/** Where a process learns how much time has passed. */
export interface TimeSources {
  /** Epoch ms, as the machine has it. */
  wall(): number;
  /** Ms since some moment, counted whatever happens to the wall clock; it may stand still while the machine sleeps. */
  steady(): number;
  /** The same with the time that the machine has slept; coarser. */
  sinceBoot(): number;
}

export const SYSTEM_TIME: TimeSources = {
  wall: () => systemClock.now(),
  steady: () => performance.now(),
  sinceBoot: () => uptime() * 1_000,
};

export interface PlausibleClockOptions {
  /** The clock may be so far from where it has to be. */
  readonly maxStepMs: number;
  /** A store may have been left alone for so long before a start. */
  readonly maxIdleMs: number;
  /** The operator has said that the clock of this start is right. */
  readonly isAccepted: boolean;
  readonly time?: TimeSources;
}

/** What the store knows about the time. */
export interface StoreTime {
  /** The time of the database server, epoch ms. */
  readonly serverMs: number;
  /** The last stamp of the store; 0 when it has none. */
  readonly lastStampMs: number;
  /** When a process last used the store with a plausible clock; 0 when none did. */
  readonly lastSeenMs: number;
}

/** What is believed moves along so often: asking the machine how long it is up costs more than the rest. */
const MOVE_ALONG_MS = 1_000;

interface Moment {
  readonly wall: number;
  readonly steady: number;
  readonly sinceBoot: number;
}

/**
 * The clock of the process, and whether it can be believed. Three witnesses are compared with it, each within `maxStepMs`: the time that
 * has passed since it was last believed, the database server's clock, and the last stamp of the store, which it must not be far behind.
 * At a start nothing says how much time has passed since the store was last used, so then it may be at most `maxIdleMs`.
 *
 * A clock that is set right again is believed again by itself.
 */
export class PlausibleClock implements Clock {
  private readonly time: TimeSources;
  private believed: Moment;
  private isStarted = false;
  private storeDoubt: string | undefined;

  constructor(private readonly options: PlausibleClockOptions) {
    this.time = options.time ?? SYSTEM_TIME;
    this.believed = this.moment();
  }

  now(): number {
    return this.time.wall();
  }

  doubt(lastStampMs = 0): string | undefined {
    return this.storeDoubt ?? this.stepDoubt() ?? this.behind(lastStampMs);
  }

  /** Compares with the store; answers what `doubt` says from now on. */
  compare({ serverMs, lastStampMs, lastSeenMs }: StoreTime): string | undefined {
    const wasDoubted = this.storeDoubt !== undefined;
    const lastMs = Math.max(lastStampMs, lastSeenMs);
    this.storeDoubt = this.apart(serverMs) ?? this.behind(lastStampMs) ?? this.afterStart(lastMs);
    // The store is the judge of a clock that it doubts: how it got there says nothing about where it has to be.
    if (this.storeDoubt !== undefined || wasDoubted) this.believed = this.moment();
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

  /** Moves what is believed along, as long as the clock has gone as far as time has. */
  private stepDoubt(): string | undefined {
    const { wall, steady, sinceBoot } = this.believed;
    const passedMs = this.time.steady() - steady;
    if (passedMs < MOVE_ALONG_MS && this.isNear(wall + passedMs)) return undefined;
    const moment = this.moment();
    const expected = [wall + moment.steady - steady, wall + moment.sinceBoot - sinceBoot];
    if (expected.some((each) => this.isNear(each))) {
      this.believed = moment;
      return undefined;
    }
    return (
      `The clock of this machine has jumped: it says ${toText(moment.wall)}, and ${toText(Math.max(...expected))} is expected; ` +
      'set it right, or restart the process if it is right now'
    );
  }

  private isNear(timeMs: number): boolean {
    return Math.abs(this.now() - timeMs) <= this.options.maxStepMs;
  }

  private moment(): Moment {
    return { wall: this.time.wall(), steady: this.time.steady(), sinceBoot: this.time.sinceBoot() };
  }
}

function toText(timeMs: number): string {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? `${String(timeMs)} ms` : date.toISOString();
}

/** The day in UTC, as `STRATALOG_ACCEPT_CLOCK` names it. */
export function dayOf(timeMs: number): string {
  return toText(timeMs).slice(0, 10);
}
