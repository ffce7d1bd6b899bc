import { describeRejection } from '../connection/call-failure';
import { NoAnswerError } from '../connection/call-errors';
import type { Answer, CatalogClient } from '../connection/catalog-client';
import { CommandFailure, EXIT } from '../exit-code';
import { toRejection } from '../connection/rejection';
import { warningsIn } from '../connection/warnings';
import type { WriteRequest } from '../connection/source-write';
import type { Terminal } from '../terminal';

/** The outcome of one write. */
export type SendOutcome =
  | { readonly kind: 'written'; readonly position?: string }
  | { readonly kind: 'rejected'; readonly status: number; readonly reason: string }
  /** Further sending is useless: the server is unreachable, or the token is wrong. */
  | { readonly kind: 'hopeless'; readonly failure: CommandFailure }
  | { readonly kind: 'interrupted' };

export interface SendOptions {
  readonly retries: number;
  readonly pause: Terminal['pause'];
  readonly interrupted: AbortSignal;
  /** Receives the catalog's warnings about an accepted write. */
  readonly warned?: (warnings: readonly string[]) => void;
}

const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);
const FIRST_PAUSE_MS = 100;
/** With eight retries the pauses add up to about 16 s, longer than a catalog takes to restart. */
const MAX_PAUSE_MS = 5000;

/** Header that carries the position of a write. */
const POSITION = 'x-stratalog-position';

/**
 * Sends one write and repeats it while the catalog is unreachable or busy. Repeating is harmless: an
 * unchanged value makes no new version.
 */
export async function sendWrite(
  client: CatalogClient,
  request: WriteRequest,
  { retries, pause, interrupted, warned }: SendOptions,
): Promise<SendOutcome> {
  for (let attempt = 0; ; attempt++) {
    const answer = await client.write(request).catch(noAnswer);
    const settled = answer instanceof NoAnswerError ? undefined : settledBy(answer, client.address);
    if (settled?.kind === 'written' && !(answer instanceof NoAnswerError)) warned?.(warningsIn(answer));
    if (settled !== undefined) return settled;
    if (attempt >= retries) return { kind: 'hopeless', failure: exhausted(answer, attempt, client.address) };
    // Many senders fail at the same time; a random factor spreads their retries.
    await pause(Math.min(FIRST_PAUSE_MS * 2 ** attempt, MAX_PAUSE_MS) * (0.5 + Math.random()), interrupted);
    if (interrupted.aborted) return { kind: 'interrupted' };
  }
}

/** Undefined when another attempt may end differently. */
function settledBy(answer: Answer, address: string): SendOutcome | undefined {
  if (answer.status >= 200 && answer.status < 300) {
    const position = answer.headers[POSITION];
    return typeof position === 'string' ? { kind: 'written', position } : { kind: 'written' };
  }
  if (RETRYABLE.has(answer.status)) return undefined;
  if (answer.status === 401) {
    const failure = new CommandFailure(describeRejection(answer, address), EXIT.rejected);
    return { kind: 'hopeless', failure };
  }
  return { kind: 'rejected', status: answer.status, reason: toRejection(answer) };
}

function exhausted(last: Answer | NoAnswerError, retries: number, address: string): CommandFailure {
  const reason =
    last instanceof NoAnswerError
      ? last.message
      : `the catalog at ${address} is unavailable: ${toRejection(last)}`;
  return new CommandFailure(`${reason}; gave up after ${String(retries)} retries`, EXIT.unreachable);
}

function noAnswer(error: unknown): NoAnswerError {
  if (error instanceof NoAnswerError) return error;
  throw error;
}
