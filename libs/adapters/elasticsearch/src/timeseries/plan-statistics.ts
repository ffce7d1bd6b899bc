import type { estypes } from '@elastic/elasticsearch';
import { timeseriesFieldKey, type TimeseriesField } from '@stratalog/domain';
import type { TimeseriesMetric, TimeseriesStatisticsQuery } from '@stratalog/ports';
import { toPeriodSource } from './period-source';
import { toFilterQuery, toNumberPath, toTextPath } from './series-filter';
import { sumMark } from './to-value-document';

type Aggregation = estypes.AggregationsAggregationContainer;
export type Aggregations = Readonly<Record<string, Aggregation>>;
/** One source of composite groups, by its name. */
export type GroupSource = Readonly<Record<string, object>>;

/** How the engine computes statistics. */
export interface StatisticsPlan {
  /** Selects the values. */
  readonly query: estypes.QueryDslQueryContainer;
  /** Marks of values that would make the answer inexact. */
  readonly marks: readonly string[];
  /** The groups, in their order; empty: one row. */
  readonly sources: readonly GroupSource[];
  /** True: groups are of elements. */
  readonly isByElement: boolean;
  /** The metrics of a group but the distinct counts, as `m0`, `m1` …; those of elements within `e`. */
  readonly metrics: Aggregations;
  readonly distinct: readonly DistinctPlan[];
}

/** A distinct count: one bucket for each group and value. */
export interface DistinctPlan {
  /** Place of the metric. */
  readonly metric: number;
  readonly isOfElement: boolean;
  readonly sources: readonly GroupSource[];
}

/** Name of the source of the counted value. */
const COUNTED = 'counted';
/** The nested documents of elements, and the name of aggregations over them. */
export const ELEMENTS = 'e';

/** Plans statistics; `undefined` for those that the engine does not compute exactly. */
export function planStatistics(query: TimeseriesStatisticsQuery): StatisticsPlan | undefined {
  const { metrics, groups, filter, urnPrefix, aspectName } = query;
  const keyFields = groups.flatMap((group) => (group.kind === 'value' ? [group.field] : []));
  const isByElement = keyFields.some(isElement);
  const selection = filter === undefined ? [] : [toFilterQuery(filter)];
  const sources = planSources(query, isByElement);
  const planned = metrics.map((metric) => planMetric(metric, isByElement || isElement(metric.field)));
  const distinct = planDistinct(query, isByElement);
  if (sources === undefined || distinct === undefined) return undefined;
  if (planned.includes(undefined) || selection.includes(undefined)) return undefined;
  const named = metrics.flatMap((metric, at) => {
    const aggregation = planned[at];
    return metric.aggregation === 'cardinality' || aggregation === undefined
      ? []
      : [{ name: `m${String(at)}`, metric, aggregation }];
  });
  const apart = named.filter(({ metric }) => !isByElement && isElement(metric.field));
  const own = named.filter((each) => !apart.includes(each));
  return {
    query: {
      bool: {
        filter: [
          { term: { aspect: aspectName } },
          ...toPrefixQuery(urnPrefix),
          ...selection.filter(isPresent),
        ],
      },
    },
    marks: listMarks(query),
    sources,
    isByElement,
    metrics: {
      ...toAggregations(own),
      ...(apart.length === 0
        ? {}
        : { [ELEMENTS]: { nested: { path: ELEMENTS }, aggs: toAggregations(apart) } }),
    },
    distinct,
  };
}

function toAggregations(
  named: readonly { readonly name: string; readonly aggregation: Aggregation }[],
): Record<string, Aggregation> {
  return Object.fromEntries(named.map(({ name, aggregation }) => [name, aggregation]));
}

function isPresent<T>(value: T | undefined): value is T {
  return value !== undefined;
}

function isElement({ source }: TimeseriesField): boolean {
  return source === 'element';
}

/** An index has the values of one entity type. */
function toPrefixQuery(urnPrefix: string): readonly estypes.QueryDslQueryContainer[] {
  return /^[^:]*:[^:]*:[^:]*:$/.test(urnPrefix) ? [] : [{ prefix: { urn: { value: urnPrefix } } }];
}

function listMarks({ metrics, groups, filter }: TimeseriesStatisticsQuery): readonly string[] {
  const named = [...metrics, ...(filter?.flat() ?? []), ...groups.filter((group) => group.kind === 'value')];
  const keys = named
    .filter(({ field: { source } }) => source === 'value' || source === 'element')
    .map(({ field }) => timeseriesFieldKey(field));
  const sums = metrics.filter(({ aggregation }) => aggregation === 'sum');
  return [...new Set([...keys, ...sums.map(({ field }) => sumMark(timeseriesFieldKey(field)))])];
}

interface FieldPaths {
  readonly text: string;
  /** Absent for fields that are no numbers. */
  readonly number?: string;
}

/** The members of a document, or of an element of it, with a field; `undefined` when it has none there. */
function findPaths(field: TimeseriesField, isOfElement: boolean): FieldPaths | undefined {
  const prefix = isOfElement ? `${ELEMENTS}.` : '';
  switch (field.source) {
    case 'urn':
      return { text: `${prefix}urn` };
    case 'timestamp':
      return { text: `${prefix}t`, number: `${prefix}t` };
    case 'value':
    case 'element': {
      if (isElement(field) !== isOfElement) return undefined;
      const text = `${prefix}${toTextPath(field)}`;
      return field.kind === 'number' ? { text, number: `${prefix}${toNumberPath(field)}` } : { text };
    }
    case 'system-metadata':
      return undefined;
    default:
      return field.source satisfies never;
  }
}

function planSources(
  { groups }: TimeseriesStatisticsQuery,
  isOfElement: boolean,
): readonly GroupSource[] | undefined {
  const sources = groups.map((group, at): GroupSource | undefined => {
    const name = `k${String(at)}`;
    const order = group.isDescending === true ? 'desc' : 'asc';
    if (group.kind === 'time') {
      const period = toPeriodSource(group);
      const field = isOfElement ? `${ELEMENTS}.t` : 't';
      return period === undefined ? undefined : { [name]: { date_histogram: { field, order, ...period } } };
    }
    const paths = findPaths(group.field, isOfElement);
    return paths === undefined
      ? undefined
      : { [name]: { terms: { field: paths.number ?? paths.text, order } } };
  });
  return sources.every(isPresent) ? sources : undefined;
}

function planDistinct(
  query: TimeseriesStatisticsQuery,
  isByElement: boolean,
): readonly DistinctPlan[] | undefined {
  const plans = query.metrics.flatMap(({ field, aggregation }, metric) => {
    if (aggregation !== 'cardinality') return [];
    const isOfElement = isByElement || isElement(field);
    const sources = planSources(query, isOfElement);
    const paths = findPaths(field, isOfElement);
    if (sources === undefined || paths === undefined) return [undefined];
    return [{ metric, isOfElement, sources: [...sources, { [COUNTED]: { terms: { field: paths.text } } }] }];
  });
  return plans.every(isPresent) ? plans : undefined;
}

function planMetric({ field, aggregation }: TimeseriesMetric, isOfElement: boolean): Aggregation | undefined {
  const paths = findPaths(field, isOfElement);
  if (paths === undefined) return undefined;
  switch (aggregation) {
    case 'latest':
      return planLatest(paths.text, isOfElement);
    case 'sum':
      // Times are too large for exact sums.
      return paths.number === undefined || field.source === 'timestamp'
        ? undefined
        : { stats: { field: paths.number } };
    case 'count':
    case 'cardinality':
      return { value_count: { field: paths.text } };
    default:
      return aggregation satisfies never;
  }
}

/** Of equal times, the greatest urn counts, then the greatest text. The text is the last of the sort values. */
function planLatest(text: string, isOfElement: boolean): Aggregation {
  const prefix = isOfElement ? `${ELEMENTS}.` : '';
  const order = [`${prefix}t`, `${prefix}urn`, text].map((field) => ({
    [field]: { order: 'desc' as const },
  }));
  return {
    filter: { exists: { field: text } },
    aggs: { hit: { top_hits: { size: 1, sort: order, _source: false } } },
  };
}
