import type { Client, estypes } from '@elastic/elasticsearch';
import type { TimeseriesStatisticsQuery, TimeseriesStatisticsResult } from '@stratalog/ports';
import { abortedBy, answered } from '../engine/translate-error';
import { orderGroups, type ComputedGroup, type GroupKey } from './order-groups';
import {
  ELEMENTS,
  planStatistics,
  type Aggregations,
  type DistinctPlan,
  type GroupSource,
  type StatisticsPlan,
} from './plan-statistics';
import { MAX_SUMMED } from './to-value-document';

export interface SeriesSearch {
  readonly client: Client;
  readonly index: string;
  readonly signal: AbortSignal | undefined;
}

/** Most groups, or groups with their distinct values, that are read. The store answers queries of more. */
const MAX_BUCKETS = 20_000;
/** Groups per request; with the buckets of their metrics they stay below the engines' limit of 65,536. */
const PAGE = 4_000;
/** Most bytes of the texts of an answer, as for the store. */
const MAX_BYTES = 16 * 1024 * 1024;

/** Computes statistics in the engine; `undefined` for those that it does not compute exactly. **Errors**: `UnavailableError`. */
export async function aggregateSeries(
  search: SeriesSearch,
  query: TimeseriesStatisticsQuery,
): Promise<TimeseriesStatisticsResult | undefined> {
  const plan = planStatistics(query);
  if (plan === undefined || (await hasMarks(search, plan))) return undefined;
  const computed = await computeGroups(search, plan, query);
  if (computed === undefined) return undefined;
  const counted = await countDistinct(search, plan, computed);
  return counted === undefined ? undefined : toResult(query, orderGroups(query, counted));
}

/** True when a value of the series has a field of the query that its document does not represent exactly. */
async function hasMarks(
  { client, index, signal }: SeriesSearch,
  { marks }: StatisticsPlan,
): Promise<boolean> {
  if (marks.length === 0) return false;
  const { hits } = await answered(
    client.search(
      {
        index,
        size: 0,
        terminate_after: 1,
        track_total_hits: 1,
        query: { terms: { marks: [...marks] } },
        allow_partial_search_results: false,
      },
      abortedBy(signal),
    ),
  );
  const { total } = hits;
  return (typeof total === 'number' ? total : (total?.value ?? 0)) > 0;
}

async function computeGroups(
  search: SeriesSearch,
  plan: StatisticsPlan,
  { top, limit, metrics }: TimeseriesStatisticsQuery,
): Promise<readonly ComputedGroup[] | undefined> {
  if (plan.sources.length === 0) {
    const found = await searchAggregations(search, plan, plan.metrics);
    const values = readMetrics(found, metrics);
    return values === undefined ? undefined : [{ keys: [], values }];
  }
  const groups: ComputedGroup[] = [];
  // Groups come in the order of the answer, unless the first of each parent are wanted.
  const most = top === undefined ? Math.min(limit + 1, MAX_BUCKETS) : MAX_BUCKETS;
  for await (const buckets of readBuckets(search, plan, plan)) {
    for (const bucket of buckets) {
      const values = readMetrics(bucket, metrics);
      if (values === undefined) return undefined;
      groups.push({ keys: readKeys(bucket.key, plan.sources), values });
    }
    if (groups.length >= most) return top === undefined && limit < MAX_BUCKETS ? groups : undefined;
  }
  return groups;
}

interface Bucket {
  readonly key: Readonly<Record<string, GroupKey>>;
  readonly [metric: string]: unknown;
}

interface CompositeAnswer {
  readonly buckets: readonly Bucket[];
  readonly after_key?: Record<string, GroupKey>;
}

interface BucketPlan {
  readonly sources: readonly GroupSource[];
  readonly metrics?: Aggregations;
  readonly isByElement: boolean;
}

/** Reads all buckets of groups, page by page. */
async function* readBuckets(
  search: SeriesSearch,
  { query }: Pick<StatisticsPlan, 'query'>,
  { sources, metrics, isByElement }: BucketPlan,
): AsyncGenerator<readonly Bucket[]> {
  for (let after: Record<string, GroupKey> | undefined; ;) {
    const composite = {
      size: PAGE,
      sources: [...sources] as NonNullable<estypes.AggregationsCompositeAggregation['sources']>,
      ...(after === undefined ? {} : { after }),
    };
    const groups = { composite, ...(metrics === undefined ? {} : { aggs: { ...metrics } }) };
    const aggs = isByElement ? { [ELEMENTS]: { nested: { path: ELEMENTS }, aggs: { groups } } } : { groups };
    const found = await searchAggregations(search, { query }, aggs);
    const within = isByElement ? (found[ELEMENTS] as Record<string, unknown>) : found;
    const { buckets, after_key: last } = within.groups as CompositeAnswer;
    yield buckets;
    if (last === undefined || buckets.length < PAGE) return;
    after = last;
  }
}

async function searchAggregations(
  { client, index, signal }: SeriesSearch,
  { query }: Pick<StatisticsPlan, 'query'>,
  aggs: Aggregations,
): Promise<Readonly<Record<string, unknown>>> {
  const { aggregations } = await answered(
    client.search<never, Record<string, unknown>>(
      {
        index,
        size: 0,
        track_total_hits: false,
        query,
        aggs: { ...aggs },
        allow_partial_search_results: false,
      },
      abortedBy(signal),
    ),
  );
  return aggregations ?? {};
}

/** Times and numbers are numbers, in whatever form engines write them. */
function readKeys(key: Bucket['key'], sources: readonly GroupSource[]): readonly GroupKey[] {
  return sources.flatMap((source) =>
    Object.entries(source).map(([name, definition]) => {
      const value = key[name] ?? '';
      return isNumeric(definition) ? Number(value) : value;
    }),
  );
}

function isNumeric(definition: object): boolean {
  if (!('terms' in definition)) return true;
  const { field } = definition.terms as { readonly field: string };
  return /^(?:e\.)?(?:t$|n\.)/.test(field);
}

interface MetricAnswer {
  readonly value?: number;
  readonly count?: number;
  readonly sum?: number;
  readonly hit?: {
    readonly hits: { readonly hits: readonly { readonly sort?: readonly (string | number)[] }[] };
  };
}

/** Reads the metrics of a group, without the distinct counts; `undefined` when a sum may be rounded. */
function readMetrics(
  found: Readonly<Record<string, unknown>>,
  metrics: TimeseriesStatisticsQuery['metrics'],
): readonly (string | undefined)[] | undefined {
  const ofElements = (found[ELEMENTS] ?? {}) as Record<string, unknown>;
  const values: (string | undefined)[] = [];
  for (const [at, { aggregation }] of metrics.entries()) {
    const name = `m${String(at)}`;
    const answer = (found[name] ?? ofElements[name] ?? {}) as MetricAnswer;
    if ((answer.count ?? 0) > MAX_SUMMED) return undefined;
    values.push(readMetric(answer, aggregation));
  }
  return values;
}

function readMetric(
  { value, count, sum, hit }: MetricAnswer,
  aggregation: TimeseriesStatisticsQuery['metrics'][number]['aggregation'],
): string | undefined {
  switch (aggregation) {
    case 'latest': {
      const latest = hit?.hits.hits[0]?.sort?.at(-1);
      return latest === undefined ? undefined : String(latest);
    }
    case 'sum':
      return count === undefined || count === 0 ? undefined : String(sum);
    case 'count':
      return String(value ?? 0);
    case 'cardinality':
      return '0';
    default:
      return aggregation satisfies never;
  }
}

async function countDistinct(
  search: SeriesSearch,
  plan: StatisticsPlan,
  computed: readonly ComputedGroup[],
): Promise<readonly ComputedGroup[] | undefined> {
  let counted = computed;
  for (const distinct of plan.distinct) {
    const counts = await countValues(search, plan, distinct);
    if (counts === undefined) return undefined;
    counted = counted.map(({ keys, values }) => ({
      keys,
      values: values.with(distinct.metric, String(counts.get(JSON.stringify(keys)) ?? 0)),
    }));
  }
  return counted;
}

async function countValues(
  search: SeriesSearch,
  plan: StatisticsPlan,
  { sources, isOfElement }: DistinctPlan,
): Promise<ReadonlyMap<string, number> | undefined> {
  const counts = new Map<string, number>();
  let read = 0;
  for await (const buckets of readBuckets(search, plan, { sources, isByElement: isOfElement })) {
    for (const { key } of buckets) {
      const id = JSON.stringify(readKeys(key, sources.slice(0, -1)));
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    read += buckets.length;
    if (read > MAX_BUCKETS) return undefined;
  }
  return counts;
}

function toResult(
  { limit }: TimeseriesStatisticsQuery,
  ordered: readonly ComputedGroup[],
): TimeseriesStatisticsResult {
  const groups = ordered.map(({ keys, values }) => ({ keys: keys.map(String), values }));
  const bytes = groups
    .slice(0, limit + 1)
    .flatMap(({ keys, values }) => [...keys, ...values])
    .reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);
  if (bytes > MAX_BYTES) return { groups: [], isCut: true };
  return { groups: groups.slice(0, limit), isCut: groups.length > limit };
}
