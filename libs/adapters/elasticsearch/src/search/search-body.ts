import type { estypes } from '@elastic/elasticsearch';
import { InvalidRequestError, type SearchHit, type SearchRequest, type SearchResult } from '@stratalog/model';
import { FACETS, toMember } from '../engine/field-members';
import { buildFilterQuery } from './filter-query';
import { buildSort } from '../documents/order-keys';
import { toQuery, type EngineQuery } from './build-query';
import { buildRanking } from './build-ranking';

/** Maximum end of a page, the default of engines: a page costs memory for all hits before it. */
const MAX_WINDOW = 10_000;

/** The fields of a stored document that a search reads. */
export interface HitSource {
  readonly urn: string;
  readonly body: string;
}

type SearchBody = Omit<estypes.SearchRequest, 'index'>;

/**
 * Builds a search for total, page and facets at once.
 *
 * **Errors**: `InvalidRequestError` when the page ends beyond 10,000 hits.
 */
export function buildSearchBody(request: SearchRequest): SearchBody {
  const { query, start, count, facets, facetLimit, order, after } = request;
  if (start + count > MAX_WINDOW) {
    throw new InvalidRequestError(
      `start ${start} with count ${count}: only the first ${MAX_WINDOW} hits can be paged through`,
    );
  }
  return {
    query: {
      function_score: {
        query: {
          bool: {
            filter: [ofTypes(request.entityTypes), ...parseConditions(request)],
            should: [...buildRanking(query)],
          },
        },
        functions: [{ field_value_factor: { field: 'weight', missing: 1 } }],
        boost_mode: 'multiply',
      },
    },
    from: start,
    size: count,
    sort: order === undefined ? [{ _score: { order: 'desc' } }, { urn: { order: 'asc' } }] : buildSort(order),
    ...(order === undefined ? {} : { track_scores: true }),
    ...(after === undefined ? {} : { search_after: [...after.keys, after.urn] as estypes.SortResults }),
    track_total_hits: true,
    // A missing part of the index would make the answer silently wrong.
    allow_partial_search_results: false,
    _source: ['urn', 'body'],
    ...(facets.length === 0
      ? {}
      : {
          aggs: Object.fromEntries(
            facets.map((name, at) => [
              facetKey(at),
              { terms: { field: `${FACETS}.${toMember(name)}`, size: facetLimit } },
            ]),
          ),
        }),
  };
}

function parseConditions({ query, filter, includesSoftDeleted = false }: SearchRequest): EngineQuery[] {
  const hidden = includesSoftDeleted ? 'deleted' : 'removed';
  const visible: EngineQuery = { term: { [hidden]: { value: false } } };
  return [visible, toQuery(query), ...(filter === undefined ? [] : [buildFilterQuery(filter)])];
}

/** Selects documents of these entity types, in an index that holds all types. */
function ofTypes(entityTypes: readonly string[]): EngineQuery {
  return { terms: { entityType: [...entityTypes] } };
}

/** Converts the engine's answer to a result. */
export function toSearchResult(
  request: SearchRequest,
  { hits, aggregations }: Pick<estypes.SearchResponse<HitSource>, 'hits' | 'aggregations'>,
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
    facets: request.facets.map((field, at) => ({
      field,
      counts: toBuckets(aggregations?.[facetKey(at)]).map(({ key, doc_count: count }) => ({
        value: key,
        count,
      })),
    })),
  };
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
}

function toBuckets(aggregate: estypes.AggregationsAggregate | undefined): readonly Bucket[] {
  return (aggregate as { readonly buckets?: readonly Bucket[] } | undefined)?.buckets ?? [];
}

/** Callers choose field names, so the engine's answer is keyed by number. */
function facetKey(at: number): string {
  return `facet${at}`;
}
