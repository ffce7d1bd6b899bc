import type { TimePeriods, TimeseriesMetric, TopGroups, ValueGroups } from '@stratalog/ports';
import type { AspectType, StatisticsField } from '@stratalog/registry';
import type { Reject } from '../filters/read-criteria';
import type { NamedField } from '../timeseries/timeseries-field';
import { MAX_GROUPS } from './max-groups';
import type { SentBucket, SentMetric } from './statistics.routes';
import { requireTimeZone } from './require-time-zone';
import { groupType, isOfElement, toStatisticsField } from './statistics-field';

/** The table that a request asks for. */
export interface RequestedTable {
  readonly metrics: readonly (TimeseriesMetric & Column)[];
  readonly groups: readonly ((TimePeriods | ValueGroups) & Column)[];
  readonly top?: TopGroups | undefined;
}

/** A column of the answer. */
interface Column {
  readonly name: string;
  /** Type of the column, in the words of the original. */
  readonly columnType: string;
  /** Type of the field in the model. */
  readonly type: string;
}

const AGGREGATIONS = { LATEST: 'latest', SUM: 'sum', CARDINALITY: 'cardinality' } as const;

/**
 * Parses the metrics and buckets of a request by the annotations of an aspect.
 *
 * **Errors**: those of `reject`, for a field that is unknown or not annotated, a sum of texts, a period without a
 * length or of another field than the time, an unknown time zone, and fields that no row of the answer could have.
 */
export function parseTable(
  aspect: AspectType,
  { metrics, buckets }: { readonly metrics: readonly SentMetric[]; readonly buckets: readonly SentBucket[] },
  reject: Reject,
): RequestedTable {
  const table = {
    metrics: metrics.map((metric, at) => parseMetric(aspect, metric, rejectAt(reject, 'metrics', at))),
    groups: buckets.map((bucket, at) => parseBucket(aspect, bucket, rejectAt(reject, 'buckets', at))),
  };
  rejectMixedElements(table, reject);
  return { ...table, top: parseTop(table, buckets, reject) };
}

function rejectAt(reject: Reject, list: string, at: number): Reject {
  return (path, reason) => reject(`${list}/${String(at)}/${path}`, reason);
}

function parseMetric(
  aspect: AspectType,
  { fieldPath, aggregationType }: SentMetric,
  reject: Reject,
): RequestedTable['metrics'][number] {
  const { field, type } = requireField(toStatisticsField(aspect, fieldPath), 'fieldPath', reject);
  if (aggregationType === 'SUM' && field.kind !== 'number')
    reject('aggregationType', `SUM needs a number, and ${fieldPath} is of type ${type}`);
  const columnTypes = { LATEST: type, SUM: 'double', CARDINALITY: 'long' };
  const aggregation = AGGREGATIONS[aggregationType];
  const columnType = columnTypes[aggregationType];
  return { field, aggregation, name: `${aggregation}_${fieldPath}`, columnType, type };
}

function parseBucket(
  aspect: AspectType,
  bucket: SentBucket,
  reject: Reject,
): RequestedTable['groups'][number] {
  const { type: kind, key, ascending, orderByMetric = false } = bucket;
  const { field, type } = requireField(toStatisticsField(aspect, key), 'key', reject);
  const column = { name: key, columnType: groupType(type), type };
  const isDescending = ascending === false && !orderByMetric;
  if (kind === 'STRING_GROUPING_BUCKET') return { kind: 'value', field, isDescending, ...column };
  if (field.source !== 'timestamp') return reject('key', 'is not timestampMillis, the only field of periods');
  const { timeWindowSize, size } = bucket;
  const timeZone = requireTimeZone(bucket.timeZone, reject);
  if (timeWindowSize === undefined) return reject('timeWindowSize', 'is required for periods');
  if (size !== undefined)
    return reject('size', 'is for groups by value; limit periods by a filter of timestampMillis');
  return { kind: 'time', ...timeWindowSize, timeZone, isDescending, ...column };
}

function requireField(named: NamedField<StatisticsField>, path: string, reject: Reject): StatisticsField {
  return 'fault' in named ? reject(path, named.fault) : named;
}

/** An element is a row of its own, so fields of the value or of another list are not in its group. */
function rejectMixedElements({ metrics, groups }: RequestedTable, reject: Reject): void {
  const lists = groups.map((group) =>
    group.kind === 'value' && isOfElement(group.field) ? group.field.path[0] : undefined,
  );
  const list = lists.find((each) => each !== undefined);
  if (list === undefined) return;
  const other = lists.findIndex((each) => each !== undefined && each !== list);
  if (other >= 0) reject(`buckets/${String(other)}/key`, `is of another list than ${list}`);
  const outside = metrics.findIndex(
    ({ field }) => (isOfElement(field) && field.path[0] !== list) || field.source === 'value',
  );
  if (outside >= 0)
    reject(`metrics/${String(outside)}/fieldPath`, `is no field of the elements of ${list}, the groups`);
}

function parseTop(
  { metrics, groups }: RequestedTable,
  buckets: readonly SentBucket[],
  reject: Reject,
): TopGroups | undefined {
  const last = buckets.length - 1;
  const early = buckets.findIndex(
    ({ size, orderByMetric }, at) => at < last && (size !== undefined || orderByMetric === true),
  );
  if (early >= 0) {
    const member = buckets[early]?.size === undefined ? 'orderByMetric' : 'size';
    reject(`buckets/${String(early)}/${member}`, 'is supported for the last bucket only');
  }
  const bucket = buckets[last];
  const isTime = groups[last]?.kind === 'time';
  const byMetric = bucket?.orderByMetric === true;
  if (bucket === undefined || (bucket.size === undefined && !byMetric)) return undefined;
  if (byMetric && (isTime || !isNumber(metrics[0])))
    reject(
      `buckets/${String(last)}/orderByMetric`,
      isTime ? 'is for groups by value' : 'needs a number as the first metric',
    );
  return {
    size: bucket.size ?? MAX_GROUPS + 1,
    byMetric,
    isDescending: bucket.ascending === undefined ? byMetric : !bucket.ascending,
  };
}

function isNumber(metric: TimeseriesMetric | undefined): boolean {
  return metric !== undefined && (metric.aggregation !== 'latest' || metric.field.kind === 'number');
}
