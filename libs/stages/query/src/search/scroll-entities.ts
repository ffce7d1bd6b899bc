import { InvalidRequestError, type JsonObject, type JsonValue, type SearchHit } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import { formatScrollId, parseScrollId, hashQuery, type ScrollId } from './scroll-id';
import { toAnswer, type IndexAnswer, type SearchDeps } from './query-index';
import { findMatches, type SearchedBy } from './search-entities';

export interface ScrollQuery extends SearchedBy {
  readonly count: number;
  /** Scroll id of the page before. */
  readonly scrollId: string | undefined;
  /** Lifetime of the id of this page. */
  readonly keepAliveMs: number;
  /** Another input of the query; pages with another value belong to another query. */
  readonly scope?: JsonObject;
}

/**
 * Reads one page of all matches of a search, without a limit on their number: ordered by urn, or by fields and then
 * by urn.
 *
 * **Shape**: that of a search without `from`, and `scrollId` for the next page, absent when this page is not full.
 * Only the first page has facets.
 *
 * **Order and repeats**: the next page starts after the last entity of this one. An entity that matches throughout
 * and keeps its order appears exactly once, despite concurrent writes.
 *
 * **Errors**: `InvalidRequestError` for an id that is unknown, expired or of another query; `UnavailableError` while
 * the first index is being built.
 *
 * **Source**: `docs/wire-decisions.md`, Searching.
 */
export async function scrollEntities(
  deps: SearchDeps & { readonly clock: Clock },
  { count, scrollId, keepAliveMs, scope, facets, ...searched }: ScrollQuery,
): Promise<IndexAnswer> {
  const { entityTypes, input, filter, includesSoftDeleted, order = [] } = searched;
  const names = entityTypes.map(({ name }) => name);
  const asked = {
    names,
    input,
    filter,
    includesSoftDeleted,
    order,
    ...(scope === undefined ? {} : { scope }),
  };
  const queryDigest = hashQuery(asked as unknown as Readonly<Record<string, JsonValue>>);
  const nowMs = deps.clock.now();
  const cursor =
    scrollId === undefined ? undefined : readCursor(scrollId, { queryDigest, nowMs, length: order.length });
  const onlyFirst = cursor === undefined && facets !== undefined ? { facets } : {};
  const page = { start: 0, count, ...(cursor === undefined ? {} : { after: cursor }) };
  const { answered, members } = await findMatches(deps, { ...searched, order, ...onlyFirst }, page);
  const { hits } = answered.result;
  const last = hits.length < count ? undefined : hits.at(-1);
  const { numEntities, ...rest } = members;
  return toAnswer(answered, {
    numEntities,
    pageSize: count,
    ...rest,
    ...(last === undefined ? {} : { scrollId: formatNextId(last, queryDigest, nowMs + keepAliveMs) }),
  });
}

function readCursor(
  scrollId: string,
  {
    queryDigest,
    nowMs,
    length,
  }: { readonly queryDigest: string; readonly nowMs: number; readonly length: number },
): ScrollId['place'] {
  const read = parseScrollId(scrollId);
  if (read === undefined) throw rejected('is none that this catalog gave');
  if (read.queryDigest !== queryDigest || read.place.keys.length !== length) {
    throw rejected(
      'belongs to another question: entities, input, filter and order must be those of the first page',
    );
  }
  if (read.expiresMs < nowMs) throw rejected('was kept for its keepAlive, and is too old now: begin again');
  return read.place;
}

function rejected(reason: string): InvalidRequestError {
  return new InvalidRequestError(`Parameter 'scrollId' ${reason}`);
}

function formatNextId({ urn, keys }: SearchHit, queryDigest: string, expiresMs: number): string {
  return formatScrollId({ queryDigest, expiresMs, place: { keys, urn } });
}
