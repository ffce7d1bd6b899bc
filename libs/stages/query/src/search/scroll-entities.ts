import { InvalidRequestError, parseUrn, type JsonValue, type SearchHit } from '@stratalog/model';
import type { Clock } from '@stratalog/ports';
import type { EntityType } from '@stratalog/registry';
import { parseQuery } from '@stratalog/search-text';
import type { FilterAndSort } from '../filters/filter-and-sort';
import { formatScrollId, parseScrollId, hashQuery, type ScrollId } from './scroll-id';
import {
  FACETS,
  FACET_LIMIT,
  toAnswer,
  queryIndex,
  formatResult,
  type IndexAnswer,
  type SearchDeps,
} from './search-entities';

export interface ScrollQuery extends FilterAndSort {
  readonly entityTypes: readonly EntityType[];
  readonly input: string;
  readonly count: number;
  readonly entitiesAsObjects: boolean;
  /** Scroll id of the page before. */
  readonly scrollId: string | undefined;
  /** Lifetime of the id of this page. */
  readonly keepAliveMs: number;
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
  { entityTypes, input, count, entitiesAsObjects, scrollId, keepAliveMs, ...options }: ScrollQuery,
): Promise<IndexAnswer> {
  const order = options.order ?? [];
  const names = entityTypes.map(({ name }) => name);
  const queryDigest = hashQuery({ names, input, ...options, order } as unknown as Readonly<
    Record<string, JsonValue>
  >);
  const nowMs = deps.clock.now();
  const cursor =
    scrollId === undefined ? undefined : readCursor(scrollId, { queryDigest, nowMs, length: order.length });
  const query = parseQuery(input, firstOfEach(entityTypes.map(({ searchFields }) => searchFields)));
  const answered = await queryIndex(deps, {
    ...options,
    order,
    ...(cursor === undefined ? {} : { after: cursor }),
    entityTypes: names,
    query,
    start: 0,
    count,
    facets: cursor === undefined ? FACETS : [],
    facetLimit: FACET_LIMIT,
  });
  const { hits } = answered.result;
  const fields = new Map(entityTypes.map(({ name, searchFields }) => [name, searchFields]));
  const members = formatResult(answered.result, {
    query,
    entitiesAsObjects,
    filters: firstOfEach(entityTypes.map(({ filters }) => filters)),
    fieldsOf: (urn) => fields.get(parseTypeName(urn)) ?? new Map(),
    page: { pageSize: count },
  });
  const last = hits.length < count ? undefined : hits.at(-1);
  return toAnswer(answered, {
    ...members,
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

function parseTypeName(urn: string): string {
  const parsed = parseUrn(urn);
  return 'urn' in parsed ? parsed.urn.entityType : '';
}

function firstOfEach<T>(maps: readonly ReadonlyMap<string, T>[]): ReadonlyMap<string, T> {
  return new Map([...maps].reverse().flatMap((map) => [...map]));
}
