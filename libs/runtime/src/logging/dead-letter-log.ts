import { measure } from '@stratalog/concurrency';
import type { Rejection } from '@stratalog/ports';
import type { Logger } from './logger';

/** Lines of one window; a flood of dead letters fills no disk with its log. */
const MAX_LINES = 10;
const WINDOW_MS = 60_000;
/** A reason may quote what a producer sent. */
const MAX_REASON_LENGTH = 500;

/** Returns a function that counts each dead letter, and logs it: ten in a minute each with a line, and the number of all others with one. */
export function deadLetterLog(
  logger: Logger,
  windowMs = WINDOW_MS,
): (rejection: Rejection, cause?: unknown) => void {
  let lines = 0;
  let omitted = 0;
  const endWindow = (): void => {
    if (omitted > 0) logger.warn({ omitted }, 'more proposals became dead letters');
    lines = 0;
    omitted = 0;
  };
  return (rejection, cause) => {
    measure('deadLetter', { cause: cause === undefined ? 'rejected' : 'failed' });
    if (lines === MAX_LINES) {
      omitted += 1;
      return;
    }
    if (lines === 0) setTimeout(endWindow, windowMs).unref();
    lines += 1;
    const letter = describe(rejection);
    if (cause === undefined) logger.warn(letter, 'a proposal was rejected and became a dead letter');
    else logger.error({ ...letter, err: cause }, 'a proposal could not be applied and became a dead letter');
  };
}

function describe({ position: { partition, offset }, reason, content }: Rejection): object {
  const entry = 'proposal' in content ? content.proposal : undefined;
  const first = entry !== undefined && 'proposals' in entry ? entry.proposals[0] : entry;
  return {
    partition,
    offset,
    ...(first === undefined ? {} : { urn: first.urn, aspect: first.aspectName }),
    reason: reason.slice(0, MAX_REASON_LENGTH),
  };
}
