import { MAX_QUERY_TEXT_BYTES, PROTOCOL_VERSION, WAIT, WAIT_FOR, fail, integer, text } from '@stratalog/http';
import * as z from 'zod';

/** Members that all routes over the search index share. */
export const INDEX_ROUTE = {
  path: 'entities',
  app: 'query',
  writes: false,
  otherParameters: [PROTOCOL_VERSION, WAIT_FOR, WAIT],
} as const;

/** Deepest page of every engine, in hits. */
export const SEARCH_WINDOW = 10_000;

export const entityTypeName = z.string().describe('Name of the entity type, in any case.');
export const entityTypeNames = z
  .array(entityTypeName)
  .optional()
  .describe('Names of entity types; all types when absent or empty.');
export const input = text(MAX_QUERY_TEXT_BYTES).describe('The search query.');
export const page = {
  start: integer({ minimum: 0, maximum: SEARCH_WINDOW }).describe('Number of matches to skip.'),
  count: integer({ minimum: 0, maximum: SEARCH_WINDOW }).describe(
    'Size of the page; `start + count` is at most 10,000.',
  ),
};

/** Rejects a page that ends beyond the window. */
export function rejectBeyondWindow(
  { start, count }: { readonly start: number; readonly count: number },
  context: z.RefinementCtx,
): void {
  if (start + count <= SEARCH_WINDOW) return;
  const reason = `start + count is ${String(start + count)}, but must not exceed ${String(SEARCH_WINDOW)}`;
  fail(context, { reason }, ['count']);
}

const KEEP_ALIVE = /^(\d{1,9})(ms|s|m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Longest lifetime, as in the original's engine. */
const MAX_KEEP_ALIVE_MS = 86_400_000;

function parseKeepAlive(sent: string, context: z.RefinementCtx): number {
  const [, digits, unit = ''] = KEEP_ALIVE.exec(sent) ?? [];
  const keepAliveMs = Number(digits) * (UNIT_MS[unit] ?? NaN);
  if (keepAliveMs > 0 && keepAliveMs <= MAX_KEEP_ALIVE_MS) return keepAliveMs;
  return fail(context, { reason: `"${sent.slice(0, 100)}" is not a time of up to 1d, like 5m` });
}

/** Parameters that join the pages of a scroll. */
export const scrolling = {
  scrollId: z.string().optional().describe('`scrollId` of the page before. Absent: the first page.'),
  keepAlive: z
    .string()
    .default('5m')
    .transform(parseKeepAlive)
    .describe('Lifetime of the id of this page: a number with `ms`, `s`, `m`, `h` or `d`, up to `1d`.'),
};
