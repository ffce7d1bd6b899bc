import { setTimeout as delay } from 'node:timers/promises';
import { actForNobody } from './caller';

export interface BatchedPollerOptions<Query, Answer> {
  /** One look for all questions, in their order; `undefined` where there is no answer yet. */
  readonly look: (questions: readonly Query[]) => Promise<readonly (Answer | undefined)[]>;
  /** Between two looks while somebody waits. */
  readonly delayMs: number;
  /** After a look that failed, when everybody goes on waiting. Absent: the failure is told to all whom the look was for. */
  readonly retryDelayMs?: number;
}

interface Waiting<Query, Answer> {
  readonly question: Query;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Lets many wait for what only looking again and again can tell. They share one look, however many they are, so that who waits does not
 * hold up what they wait for.
 */
export class BatchedPoller<Query, Answer> {
  private readonly waiting = new Set<Waiting<Query, Answer>>();
  private isPolling = false;

  constructor(private readonly options: BatchedPollerOptions<Query, Answer>) {}

  /**
   * Resolves once there is an answer.
   *
   * **Errors**: rejects with `late()` after `timeoutMs`, and with a look's failure where those are told.
   */
  async answerTo(question: Query, timeoutMs: number, late: () => Error): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    let waiting: Waiting<Query, Answer> | undefined;
    try {
      return await new Promise<Answer>((settle, fail) => {
        waiting = { question, settle, fail };
        this.waiting.add(waiting);
        timer = setTimeout(() => {
          fail(late());
        }, timeoutMs);
        // It goes on for the others when the first of them has gone.
        if (!this.isPolling) void actForNobody(() => this.pollUntilEmpty());
      });
    } finally {
      clearTimeout(timer);
      if (waiting !== undefined) this.waiting.delete(waiting);
    }
  }

  private async pollUntilEmpty(): Promise<void> {
    this.isPolling = true;
    while (this.waiting.size > 0) {
      const pauseMs = await this.pollOnce([...this.waiting]);
      if (this.waiting.size > 0) await delay(pauseMs);
    }
    this.isPolling = false;
  }

  /** Answers after what time to look again. */
  private async pollOnce(asked: readonly Waiting<Query, Answer>[]): Promise<number> {
    const { look, delayMs, retryDelayMs } = this.options;
    try {
      const answers = await look(asked.map(({ question }) => question));
      asked.forEach((each, at) => {
        const answer = answers[at];
        if (answer === undefined) return;
        this.waiting.delete(each);
        each.settle(answer);
      });
      return delayMs;
    } catch (error) {
      if (retryDelayMs !== undefined) return retryDelayMs;
      for (const each of asked) {
        this.waiting.delete(each);
        each.fail(error);
      }
      return delayMs;
    }
  }
}
