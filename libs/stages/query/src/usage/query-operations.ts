import type { JsonOutputObject } from '@stratalog/json';
import type { StatisticsDeps } from '../statistics/compute-statistics';
import { requireStoredTimeZone } from '../statistics/require-time-zone';
import { aggregateSeries, inValue, selectSeries, toPeriods, type SeriesRequest } from './query-series';

const OPERATION = 'operation';
const TYPE = inValue('operationType', 'text');
const CUSTOM_TYPE = { ...inValue('customOperationType', 'text'), fallback: '' };

/** Members of the answer by operation type. Other types count in the total only. */
const TOTALS: Readonly<Record<string, string>> = {
  INSERT: 'totalInserts',
  UPDATE: 'totalUpdates',
  DELETE: 'totalDeletes',
  CREATE: 'totalCreates',
  ALTER: 'totalAlters',
  DROP: 'totalDrops',
  CUSTOM: 'totalCustoms',
};

/** Number of operations of one type in one period. */
interface Counted {
  readonly start: number;
  readonly type: string;
  readonly customType: string;
  readonly count: number;
}

/**
 * Counts the operations on a dataset, by type, in each period and together.
 *
 * **Shape**: `OperationsQueryResult` of `models/answers/operations`; periods are in the order of time.
 *
 * **Errors**: those of `selectSeries` and `aggregateSeries`.
 */
export async function queryOperations(
  { registry, statistics }: StatisticsDeps,
  request: SeriesRequest,
): Promise<JsonOutputObject> {
  const series = selectSeries(registry, OPERATION, request);
  await requireStoredTimeZone(statistics, { timeZone: request.timeZone, path: '/timeZone' });
  const groups = await aggregateSeries(
    { statistics },
    {
      ...series,
      groups: [toPeriods(request), { kind: 'value', field: TYPE }, { kind: 'value', field: CUSTOM_TYPE }],
      metrics: [{ field: TYPE, aggregation: 'count' }],
    },
  );
  const counted = groups.map(({ keys: [start, type = '', customType = ''], values: [count] }) => ({
    start: Number(start),
    type,
    customType,
    count: Number(count),
  }));
  const { duration, resource } = request;
  const byStart = new Map<number, Counted[]>();
  for (const each of counted) {
    const own = byStart.get(each.start);
    if (own === undefined) byStart.set(each.start, [each]);
    else own.push(each);
  }
  return {
    buckets: [...byStart].map(([bucket, own]) => ({
      bucket,
      duration,
      resource,
      aggregations: toTotals(own),
    })),
    aggregations: toTotals(counted),
  };
}

/** Adds up counts; a type without operations has no member. */
function toTotals(counted: readonly Counted[]): JsonOutputObject {
  const totals = new Map([['totalOperations', 0]]);
  const customs = new Map<string, number>();
  const add = (sums: Map<string, number>, name: string, count: number): void => {
    sums.set(name, (sums.get(name) ?? 0) + count);
  };
  for (const { type, customType, count } of counted) {
    add(totals, 'totalOperations', count);
    const total = TOTALS[type];
    if (total !== undefined) add(totals, total, count);
    if (type === 'CUSTOM' && customType !== '') add(customs, customType, count);
  }
  return {
    ...Object.fromEntries(totals),
    ...(customs.size === 0 ? {} : { customOperationsMap: Object.fromEntries(customs) }),
  };
}
