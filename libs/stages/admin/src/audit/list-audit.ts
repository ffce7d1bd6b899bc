import { Readable } from 'node:stream';
import { stringifyJson, type JsonOutputObject } from '@stratalog/json';
import type { AuditLog, AuditQuery, AuditRecord } from '@stratalog/ports';

export interface AuditDeps {
  readonly audit: AuditLog;
}

type Selection = Omit<AuditQuery, 'limit'> & { readonly limit: number | undefined };

const DEFAULT_COUNT = 100;
/** Records that one query of an export reads. */
const PAGE = 1_000;

/** Lists recorded calls, the newest first. */
export async function listAudit({ audit }: AuditDeps, query: Selection): Promise<JsonOutputObject> {
  const records = await audit.list({ ...query, limit: query.limit ?? DEFAULT_COUNT });
  return { records: records.map(formatRecord) };
}

/**
 * Streams recorded calls as JSON lines, the newest first, in pages that are read as the client takes them.
 *
 * **Errors**: rejects before the first line as `listAudit` does; a later fault ends the stream with an error.
 */
export async function exportAudit({ audit }: AuditDeps, query: Selection): Promise<Readable> {
  const { limit = Infinity } = query;
  const readPage = (before: number | undefined, left: number): Promise<readonly AuditRecord[]> =>
    audit.list({ ...query, before, limit: Math.min(PAGE, left) });
  const first = await readPage(query.before, limit);
  return Readable.from(toLines(first, limit, readPage));
}

async function* toLines(
  first: readonly AuditRecord[],
  limit: number,
  readPage: (before: number | undefined, left: number) => Promise<readonly AuditRecord[]>,
): AsyncGenerator<string> {
  let page = first;
  for (let left = limit; page.length > 0; page = left > 0 ? await readPage(page.at(-1)?.id, left) : []) {
    yield page.map((record) => `${stringifyJson(formatRecord(record))}\n`).join('');
    left -= page.length;
  }
}

function formatRecord({ id, timeMs, durationMs, omitted, ...record }: AuditRecord): JsonOutputObject {
  const { actor, token, address, call, parameters, outcome, status } = record;
  return {
    id,
    timeMillis: timeMs,
    actor,
    ...(token === undefined ? {} : { token }),
    ...(address === undefined ? {} : { address }),
    call,
    parameters,
    outcome,
    status,
    durationMillis: durationMs,
    ...(omitted === undefined ? {} : { omitted }),
  };
}
