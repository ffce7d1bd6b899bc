import { InvalidRequestError, formatDeadLetterId, parseDeadLetterId } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import type { DeadLetterMark, DeadLetterQuery, DeadLetterSelection, DeadLetters } from '@stratalog/ports';
import { checkOpen, type CheckDeps } from './check-entry';
import { formatRecord } from './format-letter';

export interface DeadLettersDeps extends CheckDeps {
  readonly deadLetters: DeadLetters;
}

/** Lists the proposals that the writer rejected after they were logged, the newest first. */
export async function listDeadLetters(
  { deadLetters }: DeadLettersDeps,
  { cursor, ...query }: Omit<DeadLetterQuery, 'after'> & { readonly cursor?: string | undefined },
): Promise<JsonOutputObject> {
  const after = cursor === undefined ? undefined : parseCursor(cursor);
  const { total, records } = await deadLetters.list({ ...query, after });
  const last = records.length === query.limit ? records.at(-1) : undefined;
  return {
    start: query.start,
    count: records.length,
    total,
    ...(last === undefined ? {} : { cursor: formatCursor(last) }),
    deadLetters: records.map(formatRecord),
  };
}

/** Counts dead letters by reason, and how many open ones today's model accepts. */
export async function countDeadLetters(
  deps: DeadLettersDeps,
  selection: DeadLetterSelection,
): Promise<JsonOutputObject> {
  const { total } = await deps.deadLetters.list({ ...selection, start: 0, limit: 0 });
  const reasons = await deps.deadLetters.countReasons(selection);
  return {
    total,
    ...(await checkOpen(deps, selection)),
    reasons: reasons.map(({ oldestMs, newestMs, pattern, ...reason }) => ({
      ...reason,
      reason: pattern,
      oldestMillis: oldestMs,
      newestMillis: newestMs,
    })),
  };
}

function formatCursor({ rejectedMs, position }: DeadLetterMark): string {
  return `${String(rejectedMs)}-${formatDeadLetterId(position)}`;
}

function parseCursor(cursor: string): DeadLetterMark {
  const [, time, id = ''] = /^(\d{1,15})-(.*)$/.exec(cursor) ?? [];
  const position = parseDeadLetterId(id);
  if (time !== undefined && position !== undefined) return { rejectedMs: Number(time), position };
  throw new InvalidRequestError(`Parameter 'cursor': ${cursor.slice(0, 100)} is not the cursor of a page`);
}
