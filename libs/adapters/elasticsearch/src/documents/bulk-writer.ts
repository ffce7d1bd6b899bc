import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@elastic/elasticsearch';
import { UnavailableError } from '@stratalog/domain';
import { writeAlias } from '../engine/index-names';
import { toFailure, isRejection, translateError, type EngineFailure } from '../engine/translate-error';

/** Maximum characters per request; engines work best on a few megabytes. */
const MAX_REQUEST_CHARACTERS = 4 * 1024 * 1024;

/** Delays before the retries of documents that the engine has no room for; then the write fails. */
const RETRY_DELAYS_MS = [50, 100, 200, 400, 800, 1_600];

/**
 * Writes or deletes documents with their `seq` as external version: the engine drops a state older than the stored one.
 *
 * **Order and repeats**: retries documents that the engine has no room for, with growing delays. A rejected document
 * delays no other: all others are written first.
 *
 * **Shape**: returns the rejected documents.
 *
 * **Errors**: `UnavailableError`.
 */
export async function bulkWrite(
  client: Client,
  writes: readonly DocumentWrite[],
): Promise<readonly RejectedDocument[]> {
  const rejected: RejectedDocument[] = [];
  const lines = writes.map(toLine);
  for (const request of toRequests(lines)) rejected.push(...(await writeAll(client, request)));
  return rejected;
}

export interface DocumentWrite {
  readonly index: string;
  readonly id: string;
  readonly seq: number;
  /** Whom a rejection is reported of. */
  readonly urn: string;
  /** Absent: the document is deleted. */
  readonly document?: object;
}

export interface RejectedDocument {
  readonly urn: string;
  readonly reason: string;
}

interface Line {
  readonly urn: string;
  /** Action and document as lines of JSON. */
  readonly text: string;
}

function toLine({ index, id, seq, urn, document }: DocumentWrite): Line {
  const target = { _index: writeAlias(index), _id: id, version: seq, version_type: 'external_gte' };
  return {
    urn,
    text:
      document === undefined
        ? JSON.stringify({ delete: target })
        : `${JSON.stringify({ index: target })}\n${JSON.stringify(document)}`,
  };
}

function* toRequests(lines: readonly Line[]): Generator<readonly Line[]> {
  let request: Line[] = [];
  let characters = 0;
  for (const line of lines) {
    if (request.length > 0 && characters + line.text.length > MAX_REQUEST_CHARACTERS) {
      yield request;
      request = [];
      characters = 0;
    }
    request.push(line);
    characters += line.text.length;
  }
  if (request.length > 0) yield request;
}

async function writeAll(client: Client, lines: readonly Line[]): Promise<readonly RejectedDocument[]> {
  const rejected: RejectedDocument[] = [];
  let left = lines;
  let failure: unknown;
  for (const delayMs of [0, ...RETRY_DELAYS_MS]) {
    if (delayMs > 0) await pause(delayMs);
    const attempted = await attempt(client, left);
    rejected.push(...attempted.rejected);
    if (attempted.left.length === 0) return rejected;
    ({ left, failure } = attempted);
  }
  throw translateError(failure);
}

interface Attempt {
  readonly rejected: readonly RejectedDocument[];
  readonly left: readonly Line[];
  /** Why documents are left. */
  readonly failure?: unknown;
}

async function attempt(client: Client, lines: readonly Line[]): Promise<Attempt> {
  let items: readonly BulkItemByAction[];
  try {
    ({ items } = await client.bulk({
      operations: lines.map(({ text }) => text),
      require_alias: true,
      filter_path: 'items.*.status,items.*.error.type,items.*.error.reason,items.*.error.caused_by.reason',
    }));
  } catch (error) {
    if (!isTransient(error)) throw translateError(error);
    return { rejected: [], left: lines, failure: error };
  }
  return readOutcomes(
    lines,
    items.map((item) => findFailure(item.index ?? item.delete)),
  );
}

function readOutcomes(lines: readonly Line[], failures: readonly (EngineFailure | undefined)[]): Attempt {
  const rejected: RejectedDocument[] = [];
  const left: Line[] = [];
  let lastFailure: unknown;
  for (const [at, line] of lines.entries()) {
    const failure = failures[at];
    if (failure === undefined) continue;
    const { status, reason } = failure;
    if (isRejection(status)) rejected.push({ urn: line.urn, reason });
    else if (isOverload(status)) {
      left.push(line);
      lastFailure = new UnavailableError(`The search engine has no room for documents (status ${status})`, {
        cause: new Error(reason),
      });
    } else {
      throw new UnavailableError(`The search engine cannot write documents (status ${status})`, {
        cause: new Error(reason),
      });
    }
  }
  return { rejected, left, failure: lastFailure };
}

interface BulkItemByAction {
  readonly index?: BulkItem;
  readonly delete?: BulkItem;
}

interface BulkItem {
  readonly status: number;
  readonly error?: { readonly type: string; readonly reason?: string | null; readonly caused_by?: object };
}

/** A version conflict is not a failure: the stored document is newer than the late one. */
function findFailure(item: BulkItem | undefined): EngineFailure | undefined {
  if (item === undefined) return { status: 503, reason: 'no answer for this document' };
  if (item.error === undefined || item.status === 409) return undefined;
  const cause =
    item.error.caused_by !== undefined && 'reason' in item.error.caused_by ? item.error.caused_by.reason : '';
  return {
    status: item.status,
    reason: [item.error.type, item.error.reason, cause].filter(Boolean).join(': '),
  };
}

function isOverload(status: number): boolean {
  return status === 429 || status >= 500;
}

/** A missing answer is retried like an overload: a repeated write does no harm. */
function isTransient(error: unknown): boolean {
  const status = toFailure(error)?.status;
  return status === undefined || isOverload(status);
}
