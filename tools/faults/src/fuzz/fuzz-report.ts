import type { FuzzOptions } from '../faults-arguments';
import type { FuzzBook, ServerError } from './fuzz-book';

/** Memory of the catalog in MB, after a tenth of the requests and after all of them. */
export interface FuzzMemory {
  readonly warmUpMb: number;
  readonly endMb: number;
}

export interface FuzzSummary extends FuzzOptions {
  readonly summary: 'fuzz';
  readonly ok: boolean;
  readonly seconds: number;
  readonly sent: number;
  /** By class of status: `2xx`. */
  readonly answers: Readonly<Record<string, number>>;
  readonly unanswered: FuzzBook['unanswered'];
  readonly serverErrors: readonly ServerError[];
  readonly memory?: FuzzMemory;
  /** The longest time of a small concurrent answer, which bounds the longest block of the event loop. */
  readonly longestAnswerMs?: number;
  /** True when it ran to the end, and was written to, read and searched then. */
  readonly isWell: boolean;
  readonly violation?: string;
}

export interface FuzzSummaryDeps {
  readonly options: FuzzOptions;
  readonly seconds: number;
  readonly book: FuzzBook;
  readonly memory: FuzzMemory | undefined;
  readonly longestAnswerMs: number | undefined;
  readonly isWell: boolean;
  readonly violation: string | undefined;
}

export function summarizeFuzzRun(deps: FuzzSummaryDeps): FuzzSummary {
  const { options, seconds, book, memory, longestAnswerMs, isWell, violation } = deps;
  return {
    summary: 'fuzz',
    ok: violation === undefined,
    ...options,
    seconds: Math.round(seconds),
    sent: book.sent,
    answers: book.answers,
    unanswered: book.unanswered,
    serverErrors: book.serverErrors,
    ...(memory === undefined ? {} : { memory }),
    ...(longestAnswerMs === undefined ? {} : { longestAnswerMs }),
    isWell,
    ...(violation === undefined ? {} : { violation }),
  };
}

/** Describes a broken promise; `undefined` when there is none. */
export function faultIn(
  { serverErrors, unanswered }: Pick<FuzzBook, 'serverErrors' | 'unanswered'>,
  { warmUpMb, endMb }: FuzzMemory,
): string | undefined {
  const [first] = serverErrors;
  if (first !== undefined) {
    return `${serverErrors.length} kinds of 5xx, the first ${first.status}: ${first.message}`;
  }
  if (unanswered.time + unanswered.closed > 0) {
    return `requests without an answer: ${unanswered.time} in time, ${unanswered.closed} cut off`;
  }
  const mostMb = Math.round(warmUpMb * GROWTH + SLACK_MB);
  return endMb > mostMb ? `memory grew from ${warmUpMb} MB to ${endMb} MB, allowed: ${mostMb} MB` : undefined;
}

const GROWTH = 1.3;
const SLACK_MB = 50;
