import type { IndexedAnswer } from '@stratalog/indexing';
import type { SearchHit } from '@stratalog/domain';
import type { JsonOutput } from '@stratalog/json';
import type { Clock } from '@stratalog/ports';
import { readPlace } from './read-place';
import { formatScrollId, hashParameters, type ScrollParameter } from './scroll-id';
import { toAnswer, type SearchDeps } from './query-index';
import { findMatches, type Matches, type SearchedBy } from './search-entities';

export interface ScrollQuery extends SearchedBy {
  readonly count: number;
  /** Scroll id of the page before. */
  readonly scrollId: string | undefined;
  /** Lifetime of the id of this page. */
  readonly keepAliveMs: number;
  /** Further parameters on which the matches depend; pages with other values belong to another query. */
  readonly scope?: readonly ScrollParameter[];
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
  query: ScrollQuery,
): Promise<IndexedAnswer> {
  const { answered, members, nextScrollId } = await findScrollPage(deps, query);
  const { numEntities, ...rest } = members;
  return toAnswer(answered, {
    numEntities,
    pageSize: query.count,
    ...rest,
    ...(nextScrollId === undefined ? {} : { scrollId: nextScrollId }),
  });
}

/** One page of a scroll. */
export interface ScrollPage extends Matches {
  /** Absent on a page that is not full. */
  readonly nextScrollId?: string;
}

/** Finds one page of a scroll. **Errors**: those of {@link scrollEntities}. */
export async function findScrollPage(
  deps: SearchDeps & { readonly clock: Clock },
  { count, scrollId, keepAliveMs, scope = [], facets, ...searched }: ScrollQuery,
): Promise<ScrollPage> {
  const { order = [] } = searched;
  const parameters = [...scope, ...listParameters(searched)];
  const nowMs = deps.clock.now();
  const cursor =
    scrollId === undefined ? undefined : readPlace(scrollId, { parameters, nowMs, length: order.length });
  const onlyFirst = cursor === undefined && facets !== undefined ? { facets } : {};
  const page = { start: 0, count, ...(cursor === undefined ? {} : { after: cursor }) };
  const { answered, members } = await findMatches(deps, { ...searched, order, ...onlyFirst }, page);
  const { hits } = answered.result;
  const last = hits.length < count ? undefined : hits.at(-1);
  return {
    answered,
    members,
    ...(last === undefined ? {} : { nextScrollId: formatNextId(last, parameters, nowMs + keepAliveMs) }),
  };
}

/** Lists the parameters that every page must have. The others change what an answer says of its matches, not which they are. */
function listParameters({
  entityTypes,
  input,
  filter,
  includesSoftDeleted,
  order,
}: SearchedBy): readonly ScrollParameter[] {
  return [
    ['entities', entityTypes.map(({ name }) => name)],
    ['input', input],
    ['filter', filter as unknown as JsonOutput],
    ['sort', order as unknown as JsonOutput],
    ['searchFlags/includeSoftDeleted', includesSoftDeleted],
  ];
}

function formatNextId(
  { urn, keys }: SearchHit,
  parameters: readonly ScrollParameter[],
  expiresMs: number,
): string {
  return formatScrollId({ digests: hashParameters(parameters), expiresMs, place: { keys, urn } });
}
