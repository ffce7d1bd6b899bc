import {
  pause,
  PollLoop,
  type AspectRef,
  type Subscription,
  type SubscriptionStatus,
  type RetentionTurn,
} from '@stratalog/ports';
import { applyRetention, rejectWithoutClock, type RetentionDeps } from './apply-retention';

/** Aspects that are looked at in one read. */
const PAGE = 500;
/** Writers come first: between two pages they have the store for themselves. */
const PAUSE_MS = 20;
/** How often a process asks whether it is its turn; at most, should a pass be wanted more often. */
const ASK_MS = 60_000;
const RETRY_MS = 5_000;

/** What one pass has done. */
export interface RetentionPass {
  readonly aspects: number;
  readonly cut: number;
  readonly versions: number;
}

export interface RetentionSubscriptionOptions extends RetentionDeps {
  /** Of this process, unlike that of any other. */
  readonly owner: string;
  readonly everyMs: number;
  /** Told when a pass is done. */
  readonly onPass: (pass: RetentionPass) => void;
}

/**
 * Applies the policies by the clock: what gets too old goes although nobody writes, and what a changed policy lets go goes too.
 *
 * Passes over all aspects page by page. One process of several does it at a time, and where one ends another goes on; should two do it for a
 * moment, the second finds nothing left.
 */
export class RetentionSubscription implements Subscription {
  private readonly rounds = new PollLoop({
    round: (signal) => this.round(signal),
    untilNext: (_, signal) => pause(Math.min(ASK_MS, this.options.everyMs), signal),
    retryDelayMs: RETRY_MS,
  });

  constructor(private readonly options: RetentionSubscriptionOptions) {}

  start(): Promise<void> {
    return this.rounds.start();
  }

  stop(): Promise<void> {
    return this.rounds.stop();
  }

  status(): SubscriptionStatus {
    return this.rounds.status();
  }

  /**
   * One pass, if it is our turn; `undefined` when it is not, or was lost or broken off on the way.
   *
   * **Errors**: `UnavailableError` when the clock is not plausible or the store does not answer.
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

/** Asked again after a wait, in which it may have come to be. */
function isOver(signal: AbortSignal): boolean {
  return signal.aborted;
}
