import { createHash } from 'node:crypto';
import { InvalidRequestError } from '@stratalog/domain';
import type { Place } from '../tools/tool';

/** A call of a tool without its cursor. */
interface ToolCall {
  readonly tool: string;
  readonly given: Readonly<Record<string, unknown>>;
}

const BEGIN: Place = { skip: 0 };

/** Makes the text by which an assistant continues an answer. It holds the place itself: the server keeps nothing. */
export function makeCursor(call: ToolCall, { page, skip }: Place): string {
  const parts = [digest(call), skip, ...(page === undefined ? [] : [page])];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/**
 * Reads the place in a cursor; without one, the beginning.
 *
 * **Errors**: `InvalidRequestError` for a text that is no cursor of the same call.
 */
export function readCursor(call: ToolCall, cursor: unknown): Place {
  if (cursor === undefined || cursor === null) return BEGIN;
  const parts = typeof cursor === 'string' ? decode(cursor) : undefined;
  if (Array.isArray(parts)) {
    const [call_, skip, page] = parts as readonly unknown[];
    const isPlace = Number.isSafeInteger(skip) && (skip as number) >= 0;
    if (call_ === digest(call) && isPlace && (page === undefined || typeof page === 'string'))
      return { skip: skip as number, ...(page === undefined ? {} : { page }) };
  }
  throw new InvalidRequestError(
    `Argument parameter 'cursor' is invalid: it must be from an answer of the tool ${call.tool} to the same arguments`,
  );
}

function decode(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Differs for other arguments; an assistant may change their order, and write null for one that is absent. */
function digest({ tool, given }: ToolCall): string {
  const sorted = Object.entries(given)
    .filter(([, value]) => value !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  const text = JSON.stringify([tool, sorted], (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  return createHash('sha256').update(text).digest('base64url').slice(0, 12);
}
