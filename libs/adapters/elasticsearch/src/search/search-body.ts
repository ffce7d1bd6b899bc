import type { estypes } from '@elastic/elasticsearch';
import {
  InvalidRequestError,
  type Facet,
  type FacetRequest,
  type SearchHit,
  type SearchRequest,
  type SearchResult,
} from '@stratalog/domain';
import { buildFilterQuery } from './filter-query';
import { buildSort } from '../documents/order-keys';
import { toQuery, type EngineQuery } from './build-query';
import { buildRanking } from './build-ranking';
import { buildFacets } from './facets';

/** Maximum end of a page, the default of engines: a page costs memory for all hits before it. */
const MAX_WINDOW = 10_000;

/** The fields of a stored document that a search reads. */
export interface HitSource {
  readonly urn: string;
  readonly body: string;
}

/** Most values that engines count at once. */
export const MAX_BUCKETS = 65_000;

type SearchBody = Omit<estypes.SearchRequest, 'index'>;

/**
 * Builds a search for total, page and facets at once.
 *
 * **Errors**: `InvalidRequestError` when the page ends beyond 10,000 hits.
 */
export function buildSearchBody(request: SearchRequest): SearchBody {
  const { start, count, order, after } = request;
  if (start + count > MAX_WINDOW) {
    throw new InvalidRequestError(
      `start ${start} with count ${count}: only the first ${MAX_WINDOW} hits can be paged through`,
    );
  }
  return {
    ...buildCounting(request),
    from: start,
    size: count,
    sort: order === undefined ? [{ _score: { order: 'desc' } }, { urn: { order: 'asc' } }] : buildSort(order),
    ...(order === undefined ? {} : { track_scores: true }),
    ...(after === undefined ? {} : { search_after: [...after.keys, after.urn] as estypes.SortResults }),
    track_total_hits: true,
    _source: ['urn', 'body'],
  };
}

/** Builds a search that counts all values of one facet, without a page. */
export function buildCountBody(request: SearchRequest, facet: FacetRequest): SearchBody {
  return { ...buildCounting({ ...request, facets: [facet] }, MAX_BUCKETS), size: 0 };
}

/** Builds the matches of a request, with their scores and facets. */
function buildCounting(request: SearchRequest, valuesOfShard?: number): SearchBody {
  const { query, ranking = [], order, filter, facets } = request;
  const passes = filter === undefined ? [] : [buildFilterQuery(filter)];
  // Facets with a filter of their own count matches that the request's filter excludes.
  const isFilteredLast = facets.some((facet) => facet.filter !== undefined);
  const among = request.urns === undefined ? [] : [{ terms: { urn: [...request.urns] } }];
  const matching = [ofTypes(request.entityTypes), buildVisible(request), ...among, toQuery(query)];
  return {
    query: {
      bool: {
        filter: isFilteredLast ? matching : [...matching, ...passes],
        should: [...buildRanking(order === undefined ? ranking : [])],
      },
    },
    ...(isFilteredLast ? { post_filter: { bool: { filter: passes } } } : {}),
    // A missing part of the index would make the answer silently wrong.
    allow_partial_search_results: false,
    ...(facets.length === 0
      ? {}
      : { aggs: buildFacets(request, isFilteredLast ? filter : undefined, valuesOfShard) }),
  };
}

/** Selects the documents that the request may show. */
function buildVisible({ includesSoftDeleted = false }: SearchRequest): EngineQuery {
  return { term: { [includesSoftDeleted ? 'deleted' : 'removed']: { value: false } } };
}

/** Selects documents of these entity types, in an index that holds all types. */
function ofTypes(entityTypes: readonly string[]): EngineQuery {
  return { terms: { entityType: [...entityTypes] } };
}

/** Converts the engine's answer to a result. */
export function toSearchResult(
  request: SearchRequest,
  { hits }: Pick<estypes.SearchResponse<HitSource>, 'hits'>,
  facets: readonly Facet[],
): SearchResult {
  const { total } = hits;
  return {
    total: typeof total === 'object' ? total.value : (total ?? 0),
    hits: hits.hits.flatMap(({ _source, _score, sort = [] }) =>
      _source === undefined
        ? []
        : [
            {
              urn: _source.urn,
              score: _score ?? 0,
              values: JSON.parse(_source.body) as SearchHit['values'],
              keys: request.order === undefined ? [] : (sort.slice(0, -1) as SearchHit['keys']),
            },
          ],
    ),
    facets,
  };
}
