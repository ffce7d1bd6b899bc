import type { estypes } from '@elastic/elasticsearch';
import type { Facet, FacetRequest, SearchFilter, SearchRequest } from '@stratalog/model';
import { compareKeys } from '@stratalog/search-text';
import { toFacetValue } from '../documents/to-engine-document';
import { FACETS, toMember } from '../engine/field-members';
import type { EngineQuery } from './build-query';
import { buildFilterQuery } from './filter-query';

type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;

/** Most values of the first field of a pair. Entity types, the usual one, are fewer. */
const MAX_FIRST_VALUES = 1_000;

/** Names of the parts of a facet's aggregation. */
const COUNTED = 'counted';
const ALWAYS = 'always';

/**
 * Builds the aggregations of a request's facets. `filter` is that of facets without one of their own, when the query
 * itself does not apply it.
 */
export function buildFacets(
  { facets, facetLimit }: SearchRequest,
  filter: SearchFilter | undefined,
): Aggregations {
  return Object.fromEntries(
    facets.map((facet, at) => {
      const own = facet.filter ?? filter;
      const matches: EngineQuery = own === undefined ? { match_all: {} } : buildFilterQuery(own);
      return [facetKey(at), { filter: matches, aggs: countValues(facet, facetLimit) }];
    }),
  );
}

function countValues({ fields, always = [] }: FacetRequest, limit: number): Aggregations {
  const [field, second] = fields;
  const terms = (name: string, size: number): { readonly terms: estypes.AggregationsTermsAggregation } => ({
    terms: { field: engineField(name), size },
  });
  if (second !== undefined) {
    return { [COUNTED]: { ...terms(field, MAX_FIRST_VALUES), aggs: { [COUNTED]: terms(second, limit) } } };
  }
  return {
    [COUNTED]: terms(field, limit),
    ...(always.length === 0
      ? {}
      : {
          [ALWAYS]: {
            terms: { field: engineField(field), include: always.map(toFacetValue), size: always.length },
          },
        }),
  };
}

function engineField(field: string): string {
  return `${FACETS}.${toMember(field)}`;
}

/** Callers choose field names, so the engine's answer is keyed by number. */
function facetKey(at: number): string {
  return `facet${at}`;
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly [COUNTED]?: Aggregate;
}

interface Aggregate {
  readonly buckets?: readonly Bucket[];
}

type Count = Facet['counts'][number];

/** Reads the facets of a request from the engine's answer. */
export function readFacets(
  { facets, facetLimit }: SearchRequest,
  aggregations: estypes.SearchResponse['aggregations'],
): readonly Facet[] {
  return facets.map(({ fields }, at) => {
    const facet = (aggregations?.[facetKey(at)] ?? {}) as unknown as Partial<Record<string, Aggregate>>;
    const counted = facet[COUNTED]?.buckets ?? [];
    if (fields.length === 2)
      return { counts: counted.flatMap(readPairs).sort(compareCounts).slice(0, facetLimit) };
    const values = new Map(
      [...counted, ...(facet[ALWAYS]?.buckets ?? [])].map((bucket) => [bucket.key, bucket]),
    );
    return { counts: [...values.values()].map(({ key, doc_count: count }) => ({ values: [key], count })) };
  });
}

function readPairs({ key, [COUNTED]: inner }: Bucket): readonly Count[] {
  return (inner?.buckets ?? []).map(({ key: other, doc_count: count }) => ({ values: [key, other], count }));
}

function compareCounts(one: Count, other: Count): number {
  if (one.count !== other.count) return other.count - one.count;
  return compareKeys(one.values.join('\u0000'), other.values.join('\u0000'));
}
