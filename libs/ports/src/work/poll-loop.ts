import type { Subscription, SubscriptionStatus } from '../logs/consumer';
import { pause } from './pause';

export interface PollLoopOptions<Done> {
  /** One round. `signal` aborts when the loop is to stop: what takes long ends early then. */
  readonly round: (signal: AbortSignal) => Promise<Done>;
  /** Resolves when the next round is due; as soon as `signal` aborts, and at once when it has. */
  readonly untilNext: (done: Done, signal: AbortSignal) => Promise<void>;
  /** From a round that failed to the next. */
  readonly retryDelayMs: number;
  /** Told why a round failed; lets go of what it has left. Must not reject. */
  readonly onFailure?: (cause: unknown) => Promise<void>;
}

/**
 * Does a round of work again and again until it is stopped, and says how that goes: `retrying`, with the reason, from a failure to the
 * next round that succeeds.
 *
 * **Order and repeats**: one round at a time; a stop waits for the round in hand. May be started again.
 */
export class PollLoop<Done> implements Subscription {
  private current: SubscriptionStatus = { state: 'stopped' };
  private stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PollLoopOptions<Done>) {}

  start(): Promise<void> {
    this.stopping = new AbortController();
    this.current = { state: 'running' };
    this.running = this.run(this.stopping.signal);
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
    this.current = { state: 'stopped' };
  }

  status(): SubscriptionStatus {
    return this.current;
  }

  private async run(signal: AbortSignal): Promise<void> {
    const { round, untilNext, retryDelayMs, onFailure } = this.options;
    while (!signal.aborted) {
      try {
        const done = await round(signal);
        this.current = { state: 'running' };
        await untilNext(done, signal);
      } catch (error) {
        this.current = { state: 'retrying', reason: error instanceof Error ? error.message : String(error) };
        await onFailure?.(error);
        await pause(retryDelayMs, signal);
      }
    }
  }
}
