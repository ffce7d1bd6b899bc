import type { Subscription, SubscriptionStatus } from '@stratalog/ports';
import { GrowingDelay } from './growing-delay';
import { pause } from './pause';

interface Rounds<Done> {
  /** Runs one round. `signal` aborts when the loop stops; a long round must then end early. */
  readonly round: (signal: AbortSignal) => Promise<Done>;
  /** Receives the cause of a failed round and releases what the round left behind. Must not reject. */
  readonly onFailure?: (cause: unknown) => Promise<void>;
}

interface WhenDue<Done> {
  /** Resolves when the next round is due, or at once when `signal` aborts or has aborted. */
  readonly untilNext: (done: Done, signal: AbortSignal) => Promise<void>;
  /** Pause between a failed round and the next; each further failure in a row doubles it, up to five seconds. */
  readonly retryDelayMs: number;
}

interface AtInterval {
  /** Pause between a round and the next, whether it failed or not. */
  readonly everyMs: number;
}

export type PollLoopOptions<Done> = Rounds<Done> & (WhenDue<Done> | AtInterval);

/**
 * Runs rounds of work until it is stopped, and reports `retrying` with the reason from a failure to the next success.
 *
 * **Order and repeats**: one round at a time; `stop` waits for the current round. `start` may be called again.
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
    const { round, onFailure } = this.options;
    const { untilNext, retryDelay } = toSchedule(this.options);
    while (!signal.aborted) {
      try {
        const done = await round(signal);
        this.current = { state: 'running' };
        retryDelay.succeeded();
        await untilNext(done, signal);
      } catch (error) {
        this.current = { state: 'retrying', reason: error instanceof Error ? error.message : String(error) };
        await onFailure?.(error);
        await pause(retryDelay.failed(), signal);
      }
    }
  }
}

function toSchedule<Done>(
  options: WhenDue<Done> | AtInterval,
): Pick<WhenDue<Done>, 'untilNext'> & { readonly retryDelay: GrowingDelay } {
  if ('untilNext' in options)
    return { untilNext: options.untilNext, retryDelay: new GrowingDelay(options.retryDelayMs) };
  const { everyMs } = options;
  return {
    untilNext: (_done, signal) => pause(everyMs, signal),
    retryDelay: new GrowingDelay(everyMs, everyMs),
  };
}
