import type { estypes } from '@elastic/elasticsearch';
import type { Facet, FacetRequest, SearchFilter, SearchRequest } from '@stratalog/domain';
import { compareKeys } from '@stratalog/search-text';
import { toFacetValue } from '../documents/to-engine-document';
import { FACETS, toMember } from '../engine/field-members';
import { buildFilterQuery } from './filter-query';

type Aggregations = Record<string, estypes.AggregationsAggregationContainer>;

/** Most values of the first field of a pair. Entity types, the usual one, are fewer. */
const MAX_FIRST_VALUES = 1_000;

/**
 * Number of values that each shard counts for a facet, if it is more than the request's limit. With fewer, a value that is rare in one shard
 * would be missing in its count.
 */
const VALUES_OF_SHARD = 1_000;

/** Names of the aggregations of a facet, which its number follows: callers choose the names of fields. */
const FILTERED = 'filtered';
const COUNTED = 'counted';
const ALWAYS = 'always';
/** Name of the aggregation of the second field. */
const SECOND = 'second';

/**
 * Builds the aggregations of a request's facets. `filter` is that of facets without one of their own, when the query
 * itself does not apply it. Each shard counts at least `valuesOfShard` values.
 *
 * Facets without a filter stand at the top: engines take a third longer for counts below a filter that everything meets.
 */
export function buildFacets(
  { facets, facetLimit }: SearchRequest,
  filter: SearchFilter | undefined,
  valuesOfShard = VALUES_OF_SHARD,
): Aggregations {
  return Object.assign(
    {},
    ...facets.map((facet, at) => {
      const counts = countValues(facet, at, { limit: facetLimit, valuesOfShard });
      const own = facet.filter ?? filter;
      if (own === undefined) return counts;
      return { [`${FILTERED}${at}`]: { filter: buildFilterQuery(own), aggs: counts } };
    }),
  ) as Aggregations;
}

function countValues(
  { fields, always = [] }: FacetRequest,
  at: number,
  { limit, valuesOfShard }: { readonly limit: number; readonly valuesOfShard: number },
): Aggregations {
  const [field, second] = fields;
  const terms = (name: string, size: number): { readonly terms: estypes.AggregationsTermsAggregation } => ({
    terms: { field: engineField(name), size, shard_size: Math.max(size, valuesOfShard) },
  });
  if (second !== undefined) {
    const pairs = { ...terms(field, MAX_FIRST_VALUES), aggs: { [SECOND]: terms(second, limit) } };
    return { [`${COUNTED}${at}`]: pairs };
  }
  const named = { field: engineField(field), include: always.map(toFacetValue), size: always.length };
  return {
    [`${COUNTED}${at}`]: terms(field, limit),
    ...(always.length === 0 ? {} : { [`${ALWAYS}${at}`]: { terms: named } }),
  };
}

function engineField(field: string): string {
  return `${FACETS}.${toMember(field)}`;
}

interface Bucket {
  readonly key: string;
  readonly doc_count: number;
  readonly [SECOND]?: Aggregate;
}

interface Aggregate {
  readonly buckets?: readonly Bucket[];
  /** The number of documents that a count may lack; 0 when every shard has counted all values. */
  readonly doc_count_error_upper_bound?: number;
}

type Count = Facet['counts'][number];

/** The aggregations of an answer. */
export type FacetCounts = estypes.SearchResponse['aggregations'];

/** Reads the facets of a request from the engine's answer. */
export function readFacets({ facets, facetLimit }: SearchRequest, counts: FacetCounts): readonly Facet[] {
  return facets.map(({ fields }, at) => {
    const { buckets = [] } = readAggregate(counts, COUNTED, at);
    if (fields.length === 2)
      return { counts: buckets.flatMap(readPairs).sort(compareCounts).slice(0, facetLimit) };
    const always = readAggregate(counts, ALWAYS, at).buckets ?? [];
    const values = new Map([...buckets, ...always].map((bucket) => [bucket.key, bucket]));
    return { counts: [...values.values()].map(({ key, doc_count: count }) => ({ values: [key], count })) };
  });
}

/** Selects the facets of a request that a shard has not counted all values of. */
export function selectInexact({ facets }: SearchRequest, counts: FacetCounts): readonly FacetRequest[] {
  return facets.filter((_, at) => isInexact(readAggregate(counts, COUNTED, at)));
}

function isInexact({ doc_count_error_upper_bound: lacking = 0, buckets = [] }: Aggregate = {}): boolean {
  return lacking > 0 || buckets.some((bucket) => isInexact(bucket[SECOND]));
}

function readAggregate(counts: FacetCounts, name: string, at: number): Aggregate {
  const filtered = counts?.[`${FILTERED}${at}`] as FacetCounts;
  return ((filtered ?? counts)?.[`${name}${at}`] ?? {}) as unknown as Aggregate;
}

function readPairs({ key, [SECOND]: inner }: Bucket): readonly Count[] {
  return (inner?.buckets ?? []).map(({ key: other, doc_count: count }) => ({ values: [key, other], count }));
}

function compareCounts(one: Count, other: Count): number {
  if (one.count !== other.count) return other.count - one.count;
  return compareKeys(one.values.join('\u0000'), other.values.join('\u0000'));
}
