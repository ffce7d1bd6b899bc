import { PollLoop } from '@stratalog/concurrency';
import type { Logger } from '../logging/logger';
import type { HealthReport } from './health';

interface FaultLogOptions {
  readonly report: () => HealthReport;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
  readonly checkEveryMs?: number;
}

const CHECK_EVERY_MS = 1_000;
/** A consumer that retries for less has met a busy moment. */
const GRACE_MS = 3_000;
/** A reason that changes all the time has a line once in this time. */
const CHANGE_MS = 60_000;
/** The clock has lines of its own. */
const OWN_LINES = 'clock';

interface Fault {
  readonly sinceMs: number;
  logged?: { readonly reason: string; readonly atMs: number };
}

/**
 * Logs why a stage has stopped working, once: an error when it has retried for a while, and another one when the reason has become a different one.
 * Once it works again, a warning says so.
 */
export class FaultLog {
  private readonly faults = new Map<string, Fault>();
  private readonly loop: PollLoop<void>;

  constructor(private readonly options: FaultLogOptions) {
    const { checkEveryMs = CHECK_EVERY_MS } = options;
    this.loop = new PollLoop({
      round: () => {
        this.check();
        return Promise.resolve();
      },
      everyMs: checkEveryMs,
    });
  }

  start(): Promise<void> {
    return this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  check(): void {
    const { report, now = () => performance.now() } = this.options;
    for (const { name, state, reason } of report().stages) {
      if (name === OWN_LINES) continue;
      if (state === 'retrying') this.note(name, reason ?? 'unknown', now());
      else if (state === 'running') this.end(name);
    }
  }

  private note(stage: string, reason: string, nowMs: number): void {
    const fault = this.faults.get(stage) ?? { sinceMs: nowMs };
    this.faults.set(stage, fault);
    const { logged } = fault;
    const isDue =
      logged === undefined
        ? nowMs - fault.sinceMs >= GRACE_MS
        : logged.reason !== reason && nowMs - logged.atMs >= CHANGE_MS;
    if (!isDue) return;
    fault.logged = { reason, atMs: nowMs };
    this.options.logger.error({ stage, reason }, 'a stage cannot work, and tries again');
  }

  private end(stage: string): void {
    if (this.faults.get(stage)?.logged !== undefined) {
      this.options.logger.warn({ stage }, 'a stage works again');
    }
    this.faults.delete(stage);
  }
}
