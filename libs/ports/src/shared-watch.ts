import { setTimeout as delay } from 'node:timers/promises';
import { actForNobody } from './caller';

export interface SharedWatchOptions<Question, Answer> {
  /** One look for all questions, in their order; `undefined` where there is no answer yet. */
  readonly look: (questions: readonly Question[]) => Promise<readonly (Answer | undefined)[]>;
  /** Between two looks while somebody waits. */
  readonly delayMs: number;
  /** After a look that failed, when everybody goes on waiting. Absent: the failure is told to all whom the look was for. */
  readonly retryDelayMs?: number;
}

interface Waiting<Question, Answer> {
  readonly question: Question;
  readonly settle: (answer: Answer) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Lets many wait for what only looking again and again can tell. They share one look, however many they are, so that who waits does not
 * hold up what they wait for.
 */
export class SharedWatch<Question, Answer> {
  private readonly waiting = new Set<Waiting<Question, Answer>>();
  private isLooking = false;

  constructor(private readonly options: SharedWatchOptions<Question, Answer>) {}

  /**
   * Resolves once there is an answer.
   *
   * **Errors**: rejects with `late()` after `timeoutMs`, and with a look's failure where those are told.
   */
  async answerTo(question: Question, timeoutMs: number, late: () => Error): Promise<Answer> {
    let timer: NodeJS.Timeout | undefined;
    let waiting: Waiting<Question, Answer> | undefined;
    try {
      return await new Promise<Answer>((settle, fail) => {
        waiting = { question, settle, fail };
        this.waiting.add(waiting);
        timer = setTimeout(() => {
          fail(late());
        }, timeoutMs);
        // It goes on for the others when the first of them has gone.
        if (!this.isLooking) void actForNobody(() => this.lookOnAndOn());
      });
    } finally {
      clearTimeout(timer);
      if (waiting !== undefined) this.waiting.delete(waiting);
    }
  }

  private async lookOnAndOn(): Promise<void> {
    this.isLooking = true;
    while (this.waiting.size > 0) {
      const pauseMs = await this.lookOnce([...this.waiting]);
      if (this.waiting.size > 0) await delay(pauseMs);
    }
    this.isLooking = false;
  }

  /** Answers after what time to look again. */
  private async lookOnce(asked: readonly Waiting<Question, Answer>[]): Promise<number> {
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
