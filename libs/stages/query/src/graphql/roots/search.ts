import type { GraphQLResolveInfo } from 'graphql';
import { InvalidRequestError } from '@stratalog/domain';
import type { JsonOutputObject } from '@stratalog/json';
import { SEARCH_WINDOW, scrolling } from '../../search/search-parameters';
import { scrollEntities } from '../../search/scroll-entities';
import { searchEntities } from '../../search/search-entities';
import type { CallScope } from '../call-scope';
import { EntityRef } from '../fields/values';
import type { SentPage, SentScroll, SentSearch } from '../filters/sent-search';
import { reject, toSearchBy, toSearchPlace } from '../filters/to-search-by';
import { selects } from '../text/selects';
import { toFacets } from './to-facets';

const DEFAULT_COUNT = 10;

/** Matches as an answer has them. */
interface Matches {
  readonly count: number;
  readonly total: number;
  readonly facets: readonly object[];
  readonly searchResults: readonly { readonly entity: EntityRef }[];
}

/** One page of matches. */
interface SearchPage extends Matches {
  readonly start: number;
}

/** Searches one page. **Errors**: those of `searchEntities`. */
export function search(
  scope: CallScope,
  sent: SentSearch & SentPage,
  info: GraphQLResolveInfo,
): Promise<SearchPage> {
  return findPage(scope, sent, { hasFacets: selects(info, 'facets') });
}

interface PageOptions {
  /** True: the answer needs facets. */
  readonly hasFacets?: boolean;
  /** Searched are these entities only. */
  readonly urns?: readonly string[];
}

/** Searches one page. **Errors**: those of `searchEntities`. */
export async function findPage(
  scope: CallScope,
  sent: SentSearch & SentPage,
  { hasFacets = false, urns }: PageOptions = {},
): Promise<SearchPage> {
  const page = toPage(sent);
  const place = await toSearchPlace(scope, sent);
  const query = toSearchBy(scope, sent, place, { hasFacets, mayRelax: true });
  const within = urns === undefined || query.urns !== undefined ? query : { ...query, urns };
  scope.costs.countQuery();
  const found = await scope.searched(() => searchEntities(scope.deps, { ...within, ...page }));
  return { start: page.start, ...toMatches(found, scope) };
}

/** Reads one page of all matches. **Errors**: those of `scrollEntities`. */
export async function scroll(
  scope: CallScope,
  sent: SentSearch & SentScroll,
  info: GraphQLResolveInfo,
): Promise<object> {
  const page = toScrollPage(sent);
  const place = await toSearchPlace(scope, sent);
  const query = toSearchBy(scope, sent, place, { hasFacets: selects(info, 'facets'), mayRelax: false });
  scope.costs.countQuery();
  const found = await scope.searched(() => scrollEntities(scope.deps, { ...query, ...page }));
  const matches = toMatches(found, scope);
  const isAll = page.scrollId === undefined && matches.count === matches.total;
  return { nextScrollId: isAll ? null : found.scrollId, ...matches };
}

function toMatches(found: JsonOutputObject, { names }: CallScope): Matches {
  const { urns } = found.metadata as { readonly urns: readonly string[] };
  return {
    count: urns.length,
    total: Number(found.numEntities),
    facets: toFacets(found, names),
    searchResults: urns.map((urn) => ({ entity: new EntityRef(urn) })),
  };
}

/** **Errors**: `InvalidRequestError` for a page beyond the window of a search. */
export function toPage({ start, count }: SentPage): { readonly start: number; readonly count: number } {
  const page = { start: start ?? 0, count: count ?? DEFAULT_COUNT };
  if (page.start < 0) reject('start', 'must not be negative');
  if (page.count < 0 || page.start + page.count > SEARCH_WINDOW) {
    reject('count', `start + count must be from 0 to ${String(SEARCH_WINDOW)}`);
  }
  return page;
}

/** **Errors**: `InvalidRequestError` for a wrong size of the page or lifetime. */
export function toScrollPage({ count, scrollId, keepAlive }: SentPage & SentScroll): {
  readonly count: number;
  readonly scrollId: string | undefined;
  readonly keepAliveMs: number;
} {
  const size = count ?? DEFAULT_COUNT;
  if (size < 1 || size > SEARCH_WINDOW) reject('count', `must be from 1 to ${String(SEARCH_WINDOW)}`);
  const lifetime = scrolling.keepAlive.safeParse(keepAlive ?? undefined);
  if (!lifetime.success) throw new InvalidRequestError(`input/keepAlive: is not a time of up to 1d, like 5m`);
  return { count: size, scrollId: scrollId ?? undefined, keepAliveMs: lifetime.data };
}
