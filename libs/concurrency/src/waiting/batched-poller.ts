import { actForProcess } from '../limits/caller';
import { Notifier } from './notifier';

export interface BatchedPollerOptions<Query, Answer> {
  /** Runs one query for all waiters, in their order; `undefined` where there is no answer yet. */
  readonly poll: (queries: readonly Query[]) => Promise<readonly (Answer | undefined)[]>;
  /** Pause between two polls while there are waiters. */
  readonly delayMs: number;
  /** Ends the pause after a poll early. */
  readonly news?: Pick<Notifier, 'wait'>;
  /** Pause after a failed poll; all waiters stay. Absent: the failure rejects every waiter of that poll. */
  readonly retryDelayMs?: number;
}

interface Waiting<Query, Answer> {
  readonly query: Query;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Lets many callers wait for answers that only polling can give. All waiters share one poll, so that the load does not
 * grow with their number.
 */
export class BatchedPoller<Query, Answer> {
  private readonly waiting = new Set<Waiting<Query, Answer>>();
  private isPolling = false;

  constructor(private readonly options: BatchedPollerOptions<Query, Answer>) {}

  /**
   * Resolves once a poll returns an answer.
   *
   * **Errors**: rejects with `late()` after `timeoutMs`, or when `signal` aborts, and with the failure of a poll when there is no
   * `retryDelayMs`.
   */
  async waitFor(query: Query, timeoutMs: number, late: () => Error, signal?: AbortSignal): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    let waiting: Waiting<Query, Answer> | undefined;
    let leave = (): void => undefined;
    try {
      return await new Promise<Answer>((settle, fail) => {
        waiting = { query, settle, fail };
        this.waiting.add(waiting);
        leave = () => {
          fail(late());
        };
        timer = setTimeout(leave, timeoutMs);
        signal?.addEventListener('abort', leave);
        if (signal?.aborted === true) leave();
        // The poll outlives the caller that starts it, because other callers share it.
        if (!this.isPolling) void actForProcess(() => this.pollUntilEmpty());
      });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', leave);
      if (waiting !== undefined) this.waiting.delete(waiting);
    }
  }

  private async pollUntilEmpty(): Promise<void> {
    this.isPolling = true;
    const { news = new Notifier() } = this.options;
    while (this.waiting.size > 0) {
      const pauseMs = await this.pollOnce([...this.waiting]);
      if (this.waiting.size > 0) await news.wait(pauseMs);
    }
    this.isPolling = false;
  }

  /** Returns the pause before the next poll. */
  private async pollOnce(polled: readonly Waiting<Query, Answer>[]): Promise<number> {
    const { poll, delayMs, retryDelayMs } = this.options;
    try {
      const answers = await poll(polled.map(({ query }) => query));
      polled.forEach((each, at) => {
        const answer = answers[at];
        if (answer === undefined) return;
        this.waiting.delete(each);
        each.settle(answer);
      });
      return delayMs;
    } catch (error) {
      if (retryDelayMs !== undefined) return retryDelayMs;
      for (const each of polled) {
        this.waiting.delete(each);
        each.fail(error);
      }
      return delayMs;
    }
  }
}
