import {
  pause,
  PollLoop,
  type AspectRef,
  type Subscription,
  type SubscriptionStatus,
  type RetentionTurn,
} from '@stratalog/ports';
import { applyRetention, rejectWithoutClock, type RetentionDeps } from './apply-retention';

/** Maximum number of aspects per read. */
const PAGE = 500;
/** Pause between two pages, in which writers have the store for themselves. */
const PAUSE_MS = 20;
/** Maximum interval at which a process asks for the turn. A shorter `everyMs` shortens it. */
const ASK_MS = 60_000;
const RETRY_MS = 5_000;

/** The totals of one pass. */
export interface RetentionPass {
  readonly aspects: number;
  readonly cut: number;
  readonly versions: number;
}

export interface RetentionSubscriptionOptions extends RetentionDeps {
  /** Identifies this process among all others. */
  readonly owner: string;
  readonly everyMs: number;
  /** Called when a pass is complete. */
  readonly onPass: (pass: RetentionPass) => void;
}

/**
 * Applies the retention policies on a schedule. It purges values that grow too old without a write, and values that a
 * changed policy lets expire.
 *
 * A pass goes over all aspects page by page. One process runs it at a time, and another continues where that one ends.
 * If two overlap for a moment, the second finds nothing left to purge.
 */
export class RetentionSubscription implements Subscription {
  private readonly loop = new PollLoop({
    round: (signal) => this.round(signal),
    untilNext: (_, signal) => pause(Math.min(ASK_MS, this.options.everyMs), signal),
    retryDelayMs: RETRY_MS,
  });

  constructor(private readonly options: RetentionSubscriptionOptions) {}

  start(): Promise<void> {
    return this.loop.start();
  }

  stop(): Promise<void> {
    return this.loop.stop();
  }

  status(): SubscriptionStatus {
    return this.loop.status();
  }

  /**
   * Runs one pass if this process has the turn. `undefined` when it has not, lost it or was aborted.
   *
   * **Errors**: `UnavailableError` when the clock is implausible or the store does not answer.
   */
  async pass(signal = new AbortController().signal): Promise<RetentionPass | undefined> {
    rejectWithoutClock(this.options.clock);
    const turn = await this.options.store.takeTurn(this.turn());
    if (turn === undefined) return undefined;
    const done = { aspects: 0, cut: 0, versions: 0 };
    let { after } = turn;
    while (!signal.aborted) {
      const page = await this.page(after, signal);
      done.aspects += page.aspects.length;
      done.cut += page.cut;
      done.versions += page.versions;
      after = page.aspects.at(-1);
      if (isOver(signal)) break;
      const isDone = after === undefined || page.aspects.length < PAGE;
      const isOurs = await this.options.store.keepTurn(this.turn(), isDone ? 'done' : (after ?? 'done'));
      if (isDone || !isOurs) return isOurs ? done : undefined;
      await pause(PAUSE_MS, signal);
    }
    return undefined;
  }

  private async page(after: AspectRef | undefined, signal: AbortSignal) {
    const aspects = await this.options.store.aspectsAfter(after, PAGE);
    return applyRetention(this.options, aspects, () => !signal.aborted);
  }

  private async round(signal: AbortSignal): Promise<void> {
    const done = await this.pass(signal);
    if (done !== undefined) this.options.onPass(done);
  }

  private turn(): RetentionTurn {
    const { owner, everyMs, clock } = this.options;
    return { owner, everyMs, nowMs: clock.now() };
  }
}

/** A function, because the compiler assumes that `signal.aborted` does not change during an await. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
